import * as z from 'zod';

/** RFC 3339, held as epoch milliseconds. To the second, since ids of keys are made of it. */
export const Instant = z.codec(
  z.iso.datetime({ offset: true, abort: true, error: 'must be an instant such as 2027-02-01T00:00:00Z' }),
  z.int().nonnegative('must not lie before 1970').multipleOf(1_000, 'must be a whole second'),
  { decode: (text) => Date.parse(text), encode: (instant) => new Date(instant).toISOString() },
);

const isAscending = (instants: readonly number[]): boolean =>
  instants.every((instant, index) => instant > (instants[index - 1] ?? Number.NEGATIVE_INFINITY));
const ORDER_ERROR = 'must name each instant once, the earliest first';

/** The instants from which keys sign, one key each. */
export const Instants = z.tuple([Instant], Instant).refine(isAscending, ORDER_ERROR);

const Entry = z.codec(z.string(), z.object({ from: Instant, keyId: z.string().min(1) }).readonly(), {
  decode: (text) => {
    const [from = '', ...rest] = text.split('=');
    return { from, keyId: rest.join('=') };
  },
  encode: ({ from, keyId }) => `${from}=${keyId}`,
});

/**
 * Keys that sign one after the other, each with the instant from which it does.
 * As the stack tells it to functions: `1970-01-01T00:00:00.000Z=arn:…,2027-02-01T00:00:00.000Z=arn:…`.
 */
export const KeySchedule = z
  .codec(z.string(), z.tuple([Entry], Entry).readonly(), {
    decode: (text): [string, ...string[]] => {
      const [first = '', ...others] = text.split(',');
      return [first, ...others];
    },
    encode: (entries) => entries.join(','),
  })
  .refine((keys) => isAscending(keys.map(({ from }) => from)), ORDER_ERROR);
export type KeySchedule = z.output<typeof KeySchedule>;
export type ScheduledKey = KeySchedule[0];
