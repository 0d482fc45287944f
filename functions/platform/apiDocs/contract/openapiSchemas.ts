import * as z from 'zod';
import type { CreateDocumentOptions } from 'zod-openapi';

/** The published pattern of text without control characters. */
export const PRINTABLE_PATTERN = '^[^\\u0000-\\u001F\\u007F-\\u009F]+$';

/**
 * `\p{…}` needs a flag that JSON Schema cannot express, and Python and Go do not know it. The service also checks
 * surrogates.
 */
const portablePatterns: Readonly<Record<string, string>> = {
  '^[^\\p{Cc}\\p{Cs}]+$': PRINTABLE_PATTERN,
};

/** Formats that say the same as the long patterns of zod. */
const FORMATS: ReadonlySet<unknown> = new Set(['date-time', 'date', 'email', 'uuid']);

/** Adapts a schema for publication: portable patterns, and examples of responses that have the defaults of the service. */
export const publishSchema: NonNullable<CreateDocumentOptions['override']> = ({
  jsonSchema,
  zodSchema,
  io,
}) => {
  const { pattern, format, ['example']: example } = jsonSchema;
  if (pattern !== undefined && FORMATS.has(format)) delete jsonSchema.pattern;
  else if (pattern !== undefined) jsonSchema.pattern = portablePatterns[pattern] ?? pattern;
  // The range of safe integers, which zod adds, tells clients nothing.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // Later versions may add members to responses.
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (io === 'output' && example !== undefined && jsonSchema.type === 'object') {
    jsonSchema['example'] = z.safeParse(zodSchema, example).data ?? example;
  }
};

const SCHEMA_REFERENCE = '#/components/schemas/';

/** Whether a keyword beside a reference repeats the component that it refers to. The pattern is that before publication. */
const isRepeated = (keyword: string, value: unknown, component: Record<string, unknown>): boolean =>
  keyword === 'pattern'
    ? FORMATS.has(component['format']) || (portablePatterns[String(value)] ?? value) === component['pattern']
    : JSON.stringify(value) === JSON.stringify(component[keyword]);

/**
 * Removes the keywords beside a `$ref` that zod repeats there. `additionalProperties: false` would apply to no properties at
 * all, so that no object matches.
 */
export const withOpenReferences = (document: object): unknown => {
  const schemas = Object(Object(Object(document).components).schemas);
  const open = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(open);
    const { $ref } = Object(node);
    const component =
      typeof $ref === 'string' && $ref.startsWith(SCHEMA_REFERENCE)
        ? Object(schemas[$ref.slice(SCHEMA_REFERENCE.length)])
        : undefined;
    const members = Object.entries(node).filter(
      ([name, value]) =>
        component === undefined || !(name === 'additionalProperties' || isRepeated(name, value, component)),
    );
    return Object.fromEntries(members.map(([name, value]) => [name, open(value)]));
  };
  return open(document);
};
