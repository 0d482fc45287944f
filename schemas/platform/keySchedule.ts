import * as z from 'zod';

/** An RFC 3339 timestamp, decoded to epoch milliseconds. Whole seconds only, because construct ids of keys contain it. */
export const Instant = z.codec(
  z.iso.datetime({ offset: true, abort: true, error: 'must be an instant such as 2027-02-01T00:00:00Z' }),
  z.int().nonnegative('must not be before 1970').multipleOf(1_000, 'must be a whole second'),
  { decode: (text) => Date.parse(text), encode: (instant) => new Date(instant).toISOString() },
);

const isAscending = (instants: readonly number[]): boolean =>
  instants.every((instant, index) => instant > (instants[index - 1] ?? Number.NEGATIVE_INFINITY));
const ORDER_ERROR = 'must contain each instant once, earliest first';

/** The start times of the signing keys, one key each. */
export const Instants = z.tuple([Instant], Instant).refine(isAscending, ORDER_ERROR);

const Entry = z.codec(z.string(), z.object({ from: Instant, keyId: z.string().min(1) }).readonly(), {
  decode: (text) => {
    const [from = '', ...rest] = text.split('=');
    return { from, keyId: rest.join('=') };
  },
  encode: ({ from, keyId }) => `${from}=${keyId}`,
});

/**
 * The signing keys in order, each with the time from which it signs. The environment variable has the format
 * `1970-01-01T00:00:00.000Z=arn:…,2027-02-01T00:00:00.000Z=arn:…`.
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
