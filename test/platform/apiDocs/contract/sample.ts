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
  readonly additionalProperties?: Node | boolean | undefined;
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
  additionalProperties: z.lazy(() => z.union([Node, z.boolean()])).optional(),
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

/** What a sample has beside the required members: nothing, or every member and this text wherever any text may stand. */
type Filling = { readonly text: string } | undefined;

const takes = ({ type, format, pattern }: Node, text: string): boolean =>
  type === 'string' && format === undefined && (pattern === undefined || new RegExp(pattern, 'u').test(text));

const sampleFor = (node: Node, definitions: Record<string, Node>, filling: Filling): unknown => {
  const target = node.$ref === undefined ? undefined : definitions[node.$ref.replace('#/$defs/', '')];
  if (target !== undefined) return sampleFor(target, definitions, filling);
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  if (filling !== undefined && takes(node, filling.text)) return filling.text;
  if (filling !== undefined && node.format === 'email') return `${filling.text}@example.com`;
  const isFilled = filling !== undefined && (node.type === 'object' || node.type === 'array');
  if (node.example !== undefined && node.format === undefined && !isFilled)
    return recentExample(node.example, Date.now());
  const [branch] = node.anyOf ?? node.oneOf ?? [];
  if (branch !== undefined) return sampleFor(branch, definitions, filling);
  switch (node.type) {
    case 'object': {
      const names = filling === undefined ? (node.required ?? []) : Object.keys(node.properties ?? {});
      const { additionalProperties: others } = node;
      return Object.fromEntries([
        ...names.map((name) => [name, sampleFor(node.properties?.[name] ?? {}, definitions, filling)]),
        ...(filling !== undefined && typeof others === 'object'
          ? [[filling.text, sampleFor(others, definitions, filling)]]
          : []),
      ]);
    }
    case 'array': {
      const length = Math.max(node.minItems ?? 0, filling === undefined ? 0 : 1);
      return Array.from({ length }, () => sampleFor(node.items ?? {}, definitions, filling));
    }
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

const roots = new WeakMap<z.ZodType, Node>();
/** Made once for each schema: it takes milliseconds, and tests send thousands of requests. */
const rootOf = (schema: z.ZodType): Node => {
  const root =
    roots.get(schema) ?? Node.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  roots.set(schema, root);
  return root;
};

/** A valid value with only the required members, generated from the schema. */
export const sampleOf = (schema: z.ZodType): unknown => {
  const node = rootOf(schema);
  return sampleFor(node, node.$defs ?? {}, undefined);
};

/**
 * Values with a text wherever the schema permits any: one with all members, and for each optional one a value with it
 * alone, because some members exclude each other. Rules that JSON Schema cannot express may refuse some of them.
 */
export const samplesWith = (schema: z.ZodType, text: string): unknown[] => {
  const node = rootOf(schema);
  const full = sampleFor(node, node.$defs ?? {}, { text });
  const least = sampleFor(node, node.$defs ?? {}, undefined);
  if (typeof full !== 'object' || full === null || Array.isArray(full)) return [full];
  const required = Object.fromEntries(Object.entries(full).filter(([name]) => name in Object(least)));
  return [
    full,
    required,
    ...Object.entries(full).map(([name, value]) => ({ ...Object(least), [name]: value })),
  ];
};
