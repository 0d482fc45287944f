import * as fc from 'fast-check';
import * as z from 'zod';
import { recentExample } from '../../../../functions/platform/apiDocs/contract/openapiText.ts';

/** The part of JSON Schema that a sample of the API schemas requires. */
interface Node {
  readonly $ref?: string | undefined;
  readonly $defs?: Record<string, Node> | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly example?: unknown;
  readonly anyOf?: readonly Node[] | undefined;
  readonly oneOf?: readonly Node[] | undefined;
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly minLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly properties?: Record<string, Node> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Node | undefined;
  readonly minItems?: number | undefined;
}

const Node: z.ZodType<Node> = z.looseObject({
  $ref: z.string().optional(),
  $defs: z.lazy(() => z.record(z.string(), Node)).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  example: z.unknown().optional(),
  anyOf: z.lazy(() => z.array(Node)).optional(),
  oneOf: z.lazy(() => z.array(Node)).optional(),
  type: z.string().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  minimum: z.number().optional(),
  properties: z.lazy(() => z.record(z.string(), Node)).optional(),
  required: z.array(z.string()).optional(),
  items: z.lazy(() => Node).optional(),
  minItems: z.number().optional(),
});

const formats: Record<string, () => string> = {
  // The current time instead of the example, because a fixed date becomes too old.
  'date-time': () => new Date().toISOString(),
  date: () => new Date().toISOString().slice(0, 10),
  uri: () => 'https://receiver.example.com/hook',
  email: () => 'person@example.com',
  uuid: () => '6f1f8f2e-8c61-4a0e-9b43-0d7f5b1f1c11',
};

const textOf = ({ format, pattern, minLength = 1 }: Node): string => {
  const made = format === undefined ? undefined : formats[format]?.();
  if (made !== undefined) return made;
  const plain = 'sample'.padEnd(minLength, 'x');
  if (pattern === undefined || new RegExp(pattern, 'u').test(plain)) return plain;
  const [matching] = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 1 });
  return matching ?? plain;
};

const sampleFor = (node: Node, definitions: Record<string, Node>): unknown => {
  const target = node.$ref === undefined ? undefined : definitions[node.$ref.replace('#/$defs/', '')];
  if (target !== undefined) return sampleFor(target, definitions);
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  if (node.example !== undefined && node.format === undefined) return recentExample(node.example, Date.now());
  const [branch] = node.anyOf ?? node.oneOf ?? [];
  if (branch !== undefined) return sampleFor(branch, definitions);
  switch (node.type) {
    case 'object':
      return Object.fromEntries(
        (node.required ?? []).map((name) => [name, sampleFor(node.properties?.[name] ?? {}, definitions)]),
      );
    case 'array':
      return Array.from({ length: node.minItems ?? 0 }, () => sampleFor(node.items ?? {}, definitions));
    case 'integer':
    case 'number':
      return Math.max(1, node.minimum ?? 1);
    case 'boolean':
      return true;
    case 'string':
      return textOf(node);
    default:
      return null;
  }
};

/** A valid value with only the required members, generated from the schema. */
export const sampleOf = (schema: z.ZodType): unknown => {
  const node = Node.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return sampleFor(node, node.$defs ?? {});
};
