import * as z from 'zod';

/** The most values of one list filter. One DynamoDB filter expression can hold them. */
export const FILTER_LIST_MAXIMUM = 50;
const LIST_LENGTH_MAXIMUM = 4_096;

/** A comma-separated list of values. A value that contains a comma cannot be in a list: use `[eq]`. */
export const anyOf = <Value extends z.ZodType<string, string>>(value: Value) => {
  const options = value instanceof z.ZodEnum ? ` of ${value.options.join(', ')}` : '';
  return z
    .string()
    .max(LIST_LENGTH_MAXIMUM)
    .transform((text) => text.split(','))
    .pipe(z.array(value).max(FILTER_LIST_MAXIMUM))
    .meta({ description: `Any${options}, comma-separated, at most ${FILTER_LIST_MAXIMUM} values` });
};

export const containing = (value: z.ZodString) =>
  value.meta({ description: 'Contains this text, case-sensitive' });

export const Presence = z.enum(['true', 'false']).meta({ description: 'Whether the value is not null' });
