import type { Rollup } from '../../schemas/rollup.ts';
import { LENGTH, startOf } from '../rollups/grain.ts';
import type { RollupReader } from '../rollups/rollup.store.ts';

/** Days looked through, the newest first: those in which calls mostly lie, then as far as it is worth. */
const LOOKBACK_DAYS = [2, 31];
/** A call may lie ten minutes ahead of our clock. */
const CLOCK_SKEW_MS = LENGTH.hour;

/** The newest call of a tenant: its minute, and when that was summed; epoch milliseconds. */
export interface Freshness {
  readonly newestCall: number;
  readonly summedAt: number;
}

/**
 * How fresh a tenant's figures are at `now`, in one lane or in all (null): from day to hour to minute of the newest
 * call. Null when there is none.
 */
export const freshnessOf = async (
  rollups: RollupReader,
  tenantId: string,
  { now, residency }: { readonly now: number; readonly residency: string | null },
): Promise<Freshness | null> => {
  const hasCalls = ({ groups }: Rollup): boolean =>
    groups.some(({ dimensions }) => residency === null || dimensions.residency === residency);
  const newestIn = async (grain: Rollup['grain'], from: number, to: number): Promise<Rollup | undefined> =>
    (await rollups.read(tenantId, { grain, from, to })).findLast(hasCalls);

  const to = startOf('day', now + CLOCK_SKEW_MS) + LENGTH.day;
  for (const days of LOOKBACK_DAYS) {
    const day = await newestIn('day', to - days * LENGTH.day, to);
    const hour = day && (await newestIn('hour', day.start, day.start + LENGTH.day));
    const minute = hour && (await newestIn('minute', hour.start, hour.start + LENGTH.hour));
    if (minute !== undefined) return { newestCall: minute.start, summedAt: minute.asOf };
  }
  return null;
};
