import * as z from 'zod';

/** The most values of one list filter. One DynamoDB filter expression can hold them. */
export const FILTER_LIST_MAXIMUM = 50;
const LIST_LENGTH_MAXIMUM = 4_096;

/**
 * A query parameter that is a list: comma-separated, repeated, or both. A value that contains a comma cannot be in a list.
 * All other parameters have one value and are refused if they are repeated.
 */
export const listOf = <Values extends z.ZodType<unknown, string[]>>(values: Values, text = z.string()) =>
  text.transform((joined) => joined.split(',')).pipe(values);

/** Whether a query parameter is a list (see {@link listOf}). */
export const isList = (schema: z.core.$ZodType): boolean => {
  if (schema instanceof z.ZodOptional) return isList(schema.unwrap());
  if (schema instanceof z.ZodPipe) return isList(schema.in) || isList(schema.out);
  return schema instanceof z.ZodArray;
};

/** A list of values of which a record has any. */
export const anyOf = <Value extends z.ZodType<string, string>>(value: Value) => {
  const options = value instanceof z.ZodEnum ? ` of ${value.options.join(', ')}` : '';
  return listOf(z.array(value).max(FILTER_LIST_MAXIMUM), z.string().max(LIST_LENGTH_MAXIMUM)).meta({
    description: `Any${options}, comma-separated, at most ${FILTER_LIST_MAXIMUM} values`,
  });
};

export const containing = (value: z.ZodString) =>
  value.meta({ description: 'Contains this text, case-sensitive' });

export const Presence = z.enum(['true', 'false']).meta({ description: 'Whether the value is not null' });
