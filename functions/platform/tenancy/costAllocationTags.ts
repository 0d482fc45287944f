import * as z from 'zod';
import { utcDateOf } from '../shared/time/toIso.ts';

/**
 * The tag keys that reports can group by, by the first UTC day on which they are in force, in chronological order. The keys
 * of a day never change once it has begun: suppression partitions the calls of a day by them, and the sums of two partitions
 * of the same calls could be subtracted.
 */
export const CostAllocationTags = z.array(z.object({ from: z.iso.date(), keys: z.array(z.string()) }));
export type CostAllocationTags = z.infer<typeof CostAllocationTags>;

/** The first day of the keys that a tenant is created with. They apply to calls of any time. */
const ALWAYS = '0001-01-01';

/** The keys of a new tenant. */
export const initialTagKeys = (keys: readonly string[]): CostAllocationTags =>
  keys.length === 0 ? [] : [{ from: ALWAYS, keys: [...keys].sort() }];

/** The keys that are in force on the UTC day of an instant (epoch milliseconds), sorted. */
export const tagKeysOn = (tags: CostAllocationTags, at: number): readonly string[] => {
  const day = utcDateOf(at);
  return tags.findLast(({ from }) => from <= day)?.keys ?? [];
};

/** The keys that were set last, and the first day on which they are in force; null if they always were. */
export const latestTagKeys = (
  tags: CostAllocationTags,
): { readonly keys: readonly string[]; readonly from: string | null } => {
  const { keys, from } = tags.at(-1) ?? { keys: [], from: ALWAYS };
  return { keys, from: from === ALWAYS ? null : from };
};
