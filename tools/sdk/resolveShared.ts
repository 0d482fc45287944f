/** Schemas that only limit the length of a text are for the service. Clients see a text. */
const TEXT = /^(?:Text|Label|FreeText)\d+$/;
const SHARED = /^#\/components\/(?:parameters|headers|responses|schemas\/(?:Text|Label|FreeText)\d+$)/;

const resolve = (node: unknown, document: unknown): unknown => {
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...siblings } = Object(node);
  if (typeof $ref === 'string' && SHARED.test($ref)) {
    const names = $ref.split('/').slice(1);
    const target = names.reduce<unknown>((inside, name) => Object(inside)[name], document);
    return resolve({ ...Object(target), ...siblings }, document);
  }
  if (Array.isArray(node)) return node.map((item) => resolve(item, document));
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => !TEXT.test(name))
      .map(([name, value]) => [name, resolve(value, document)]),
  );
};

/** Replaces the references of an OpenAPI document to parameters, headers, responses and texts by what they refer to. */
export const resolveShared = (document: unknown): unknown => resolve(document, document);
