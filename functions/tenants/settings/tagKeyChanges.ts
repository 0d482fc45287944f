import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import { RECORD_RETENTION_MONTHS } from '../../../schemas/platform/retention.ts';
import { utcDateOf } from '../../platform/shared/time/toIso.ts';
import {
  type CostAllocationTags,
  latestTagKeys,
  tagKeysOn,
} from '../../platform/tenancy/costAllocationTags.ts';

/** A process may use settings this long after they changed. */
const SETTINGS_AGE_MAXIMUM_MS = HOUR_MS;

const MONTH_MAXIMUM_MS = 31 * DAY_MS;

/**
 * Replaces the keys from the next UTC day on, or from the day after it in the last hour of a day. `now` is epoch
 * milliseconds. Keys that were replaced before the oldest record are dropped.
 */
export const withTagKeys = (
  tags: CostAllocationTags,
  keys: readonly string[],
  now: number,
): CostAllocationTags => {
  const oldest = utcDateOf(now - RECORD_RETENTION_MONTHS * MONTH_MAXIMUM_MS);
  const sorted = [...keys].sort();
  if (latestTagKeys(tags).keys.join() === sorted.join()) return tags;
  const from = utcDateOf(now + SETTINGS_AGE_MAXIMUM_MS + DAY_MS);
  const inForce = tags.filter((one, index) => {
    const next = tags[index + 1];
    return one.from < from && (next === undefined || next.from >= oldest);
  });
  return tagKeysOn(inForce, Date.parse(from)).join() === sorted.join()
    ? inForce
    : [...inForce, { from, keys: sorted }];
};
