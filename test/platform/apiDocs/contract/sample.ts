import * as fc from 'fast-check';
import * as z from 'zod';
import { recentExample } from '../../../../functions/platform/apiDocs/contract/openapiText.ts';
import { HOUR_MS } from '../../../../schemas/durations.ts';
import { SchemaNode } from './schemaNode.ts';

const formats: Record<string, () => string> = {
  // The current hour instead of the example, because a fixed date becomes too old, and some members take whole hours only.
  'date-time': () => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS).toISOString(),
  date: () => new Date().toISOString().slice(0, 10),
  uri: () => 'https://receiver.example.com/hook',
  email: () => 'person@example.com',
  uuid: () => '6f1f8f2e-8c61-4a0e-9b43-0d7f5b1f1c11',
};

const textOf = ({ format, pattern, minLength = 1 }: SchemaNode): string => {
  const made = format === undefined ? undefined : formats[format]?.();
  if (made !== undefined) return made;
  const plain = 'sample'.padEnd(minLength, 'x');
  if (pattern === undefined || new RegExp(pattern, 'u').test(plain)) return plain;
  const [matching] = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 1 });
  return matching ?? plain;
};

/** What a sample has beside the required members: nothing, or every member and this text wherever any text may stand. */
type Filling = { readonly text: string } | undefined;

const takes = ({ type, format, pattern }: SchemaNode, text: string): boolean =>
  type === 'string' && format === undefined && (pattern === undefined || new RegExp(pattern, 'u').test(text));

const sampleFor = (node: SchemaNode, definitions: Record<string, SchemaNode>, filling: Filling): unknown => {
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

const roots = new WeakMap<z.ZodType, SchemaNode>();
/** Made once for each schema: it takes milliseconds, and tests send thousands of requests. */
const rootOf = (schema: z.ZodType): SchemaNode => {
  const root =
    roots.get(schema) ?? SchemaNode.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
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
