const SHARED = /^#\/components\/(?:parameters|headers|responses)\//;

const resolve = (node: unknown, document: unknown): unknown => {
  if (typeof node !== 'object' || node === null) return node;
  const { $ref } = Object(node);
  if (typeof $ref === 'string' && SHARED.test($ref)) {
    const names = $ref.split('/').slice(1);
    return resolve(
      names.reduce<unknown>((inside, name) => Object(inside)[name], document),
      document,
    );
  }
  if (Array.isArray(node)) return node.map((item) => resolve(item, document));
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolve(value, document)]));
};

/** Replaces the references of an OpenAPI document to parameters, headers and responses by what they refer to. */
export const resolveShared = (document: unknown): unknown => resolve(document, document);
