import * as z from 'zod';
import { PRINTABLE_PATTERN } from '../../functions/platform/apiDocs/contract/openapiSchemas.ts';

const Parameter = z
  .object({
    name: z.string(),
    in: z.enum(['path', 'query']),
    required: z.boolean().default(false),
    description: z.string().optional(),
    schema: z.looseObject({}),
  })
  .transform(({ description, ...parameter }) => ({
    ...parameter,
    schema: { ...(description !== undefined && { description }), ...parameter.schema },
  }));
type Parameter = z.infer<typeof Parameter>;

const Components = z.object({ schemas: z.record(z.string(), z.unknown()) });
type Components = z.infer<typeof Components>;

const COMPONENT = '#/components/schemas/';

/** The JSON schema of the arguments of a tool. */
export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** Says nothing to a model, is in most arguments, and the service checks it. */
const isLeftOut = (name: string, value: unknown): boolean =>
  ['minLength', 'maxLength', 'maxItems', 'uniqueItems', 'x-max-words'].includes(name) ||
  (name === 'pattern' && value === PRINTABLE_PATTERN) ||
  (name === 'example' && typeof value === 'number');

/** Replaces references by the schemas, because a tool has no components. */
const inline = (node: unknown, components: Components): unknown => {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => inline(item, components));
  const { $ref, ...members } = Object(node);
  const target =
    typeof $ref === 'string' ? Object(components.schemas[$ref.replace(COMPONENT, '')]) : undefined;
  return Object.fromEntries(
    Object.entries({ ...target, ...members })
      .filter(([name, value]) => !isLeftOut(name, value))
      .map(([name, value]) => [name, inline(value, components)]),
  );
};

/** `cost_usd[gte]` as `cost_usd_gte`: model providers refuse brackets in the names of arguments. */
const argumentOf = (parameter: string): string => parameter.replace('[', '_').replace(']', '');

/** The parameters of an operation by the name of their argument. Leaves out `[eq]`, which the bare name means too. */
export const parametersByArgument = (parameters: unknown): ReadonlyMap<string, Parameter> =>
  new Map(
    z
      .array(Parameter)
      .parse(parameters)
      .filter(({ name }) => !name.endsWith('[eq]'))
      .map((parameter) => [argumentOf(parameter.name), parameter]),
  );

/** Names in a list may contain commas. The field of the operator says what they are. */
const LIST = { type: 'array', items: { type: 'string' } } as const;

/** A list takes a text too, for people who write an address. Names in an array may contain commas. */
const asArray = (schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { anyOf, example: _text, ...members } = schema;
  const array = Array.isArray(anyOf) ? anyOf.find((one) => Object(one).type === 'array') : undefined;
  return array === undefined ? schema : { ...members, ...Object(array) };
};

/** Forms of a text, such as a date or an instant, take much room. The description says them, and the service checks them. */
const withoutForms = (schema: unknown): unknown => {
  const { anyOf, ...members } = Object(schema);
  const isText = (one: unknown) => Object(one).type === 'string' && !('enum' in Object(one));
  return Array.isArray(anyOf) && anyOf.every(isText) ? { ...members, type: 'string' } : schema;
};

/**
 * The schema of an argument. That of an operator, such as `cost_usd_gte`, is often that of its field, which says all of it once:
 * the type remains.
 */
const argumentSchema = (
  { name, schema }: Parameter,
  parameters: ReadonlyMap<string, Parameter>,
  components: Components,
): unknown => {
  if (name.endsWith('[in]')) return LIST;
  const own = withoutForms(inline(asArray(schema), components));
  const [field = ''] = name.split('[');
  const base = field === name ? undefined : parameters.get(field);
  if (
    base === undefined ||
    JSON.stringify(withoutForms(inline(base.schema, components))) !== JSON.stringify(own)
  )
    return own;
  return { type: Object(own).type };
};

export const inputSchema = (parameters: ReadonlyMap<string, Parameter>, components: unknown): InputSchema => {
  const known = Components.parse(components);
  const all = [...parameters];
  return {
    type: 'object',
    properties: Object.fromEntries(
      all.map(([name, parameter]) => [name, argumentSchema(parameter, parameters, known)]),
    ),
    required: all.filter(([, { required }]) => required).map(([name]) => name),
    additionalProperties: false,
  };
};
