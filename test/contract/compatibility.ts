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
 * The guarantees of a schema to receivers, one for each line: the types of each member, whether it is required, and each
 * possible value. A new schema is backward compatible if it keeps all lines of the old one. It may add lines.
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
      ...(node.required ?? []).map((name) => `${path}.${name} is required`),
      ...Object.entries(node.properties ?? {}).flatMap(([name, member]) =>
        linesOf(member, `${path}.${name}`),
      ),
      ...(node.items === undefined ? [] : linesOf(node.items, `${path}[]`)),
      ...alternatives.flat().filter((line) => !line.startsWith(`${path}: `)),
    ];
  };
  return linesOf(Node.parse(at(pointer, document)), pointer.slice(pointer.lastIndexOf('/') + 1));
};
