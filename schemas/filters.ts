import * as z from 'zod';

/** The most values of one list filter. One DynamoDB filter expression can hold them. */
export const FILTER_LIST_MAXIMUM = 50;
const LIST_LENGTH_MAXIMUM = 4_096;

const Texts = z.array(z.string()).min(1);

/** The values of a list. Null if it begins like a JSON array and is none: as names between commas, it would find nothing. */
const valuesIn = (text: string): string[] | null => {
  if (!text.startsWith('[')) return text.split(',');
  try {
    return Texts.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

/**
 * A query parameter that is a list: repeated, a JSON array, or one text that is cut at commas. A value with a comma needs one of
 * the first two. All other parameters have one value and are refused if they are repeated.
 */
export const listOf = <Values extends z.ZodType<unknown, string[]>>(values: Values, text = z.string()) =>
  z.union([
    text
      .transform((sent, { issues }) => {
        const read = valuesIn(sent);
        if (read !== null) return read;
        issues.push({
          code: 'custom',
          message: 'begins with [, so it must be a JSON array of texts, such as ["a, b","c"]',
          input: sent,
        });
        return z.NEVER;
      })
      .pipe(values),
    values,
  ]);

/** Whether a query parameter is a list (see {@link listOf}). */
export const isList = (schema: z.core.$ZodType): boolean => {
  if (schema instanceof z.ZodOptional) return isList(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.some(isList);
  if (schema instanceof z.ZodPipe) return isList(schema.in) || isList(schema.out);
  return schema instanceof z.ZodArray;
};

/** A list of values of which a record has any. */
export const anyOf = <Value extends z.ZodType<string, string>>(value: Value) =>
  listOf(z.array(value).max(FILTER_LIST_MAXIMUM), z.string().max(LIST_LENGTH_MAXIMUM)).meta({
    description: 'Any of these. As text: comma-separated',
  });

/** The operators of filters, in the order of the query parameters. */
export const filterOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'exists'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** A field that a list can be filtered by. */
export interface FilterField {
  readonly value: z.ZodType<string, string>;
  /** Besides equality, whose parameter is the field itself. */
  readonly operators: readonly FilterOperator[];
}

const operandOf = (
  { value }: FilterField,
  operator: FilterOperator,
): z.ZodType<string | string[], string | string[]> => {
  switch (operator) {
    case 'in':
      return anyOf(value);
    case 'contains':
      return value.meta({ description: 'Contains this text, case-sensitive' });
    case 'exists':
      return z.enum(['true', 'false']).meta({ description: 'Whether it is not null' });
    default:
      return value;
  }
};

type FilterParameters<Fields extends Readonly<Record<string, FilterField>>> = {
  [Name in keyof Fields & string as Name | `${Name}[${Fields[Name]['operators'][number]}]`]: z.ZodOptional<
    z.ZodType<string | string[], string | string[]>
  >;
};

/** The query parameters of filters: `owner`, `owner[in]` and so on. */
export const filterParameters = <const Fields extends Readonly<Record<string, FilterField>>>(
  fields: Fields,
) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => [
      [name, field.value.optional()],
      ...filterOperators
        .filter((operator) => field.operators.includes(operator))
        .map((operator) => [`${name}[${operator}]`, operandOf(field, operator).optional()]),
    ]),
  ) as FilterParameters<Fields>;
