import * as z from 'zod';

interface Node {
  readonly $ref?: string | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly anyOf?: readonly Node[] | undefined;
  readonly required?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, Node>> | undefined;
  readonly items?: Node | undefined;
}
const Node: z.ZodType<Node> = z.looseObject({
  $ref: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  anyOf: z.lazy(() => z.array(Node)).optional(),
  required: z.array(z.string()).optional(),
  properties: z.lazy(() => z.record(z.string(), Node)).optional(),
  items: z.lazy(() => Node).optional(),
});

const at = (pointer: string, document: unknown): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((inside, name) => Object(inside)[name], document);

/**
 * What a receiver may rely on in a schema of a document, a line each: the types of every member, that it is there, and
 * each value it may have. A schema that keeps all lines of another, whatever it adds, breaks none of its receivers.
 */
export const compatibilityOf = (pointer: string, document: unknown): string[] => {
  const linesOf = (node: Node, path: string): string[] => {
    if (node.$ref !== undefined) return linesOf(Node.parse(at(node.$ref, document)), path);
    const alternatives = (node.anyOf ?? []).map((one) => linesOf(one, path));
    const types = [node.type ?? [], ...(node.anyOf ?? []).map(({ type = [] }) => type)].flat();
    const values = 'const' in node ? [node.const] : (node.enum ?? []);
    return [
      ...(types.length > 0 ? [`${path}: ${[...new Set(types)].sort().join(' or ')}`] : []),
      ...values.map((value) => `${path} = ${JSON.stringify(value)}`),
      ...(node.required ?? []).map((name) => `${path}.${name} is there`),
      ...Object.entries(node.properties ?? {}).flatMap(([name, member]) =>
        linesOf(member, `${path}.${name}`),
      ),
      ...(node.items === undefined ? [] : linesOf(node.items, `${path}[]`)),
      ...alternatives.flat().filter((line) => !line.startsWith(`${path}: `)),
    ];
  };
  return linesOf(Node.parse(at(pointer, document)), pointer.slice(pointer.lastIndexOf('/') + 1));
};
