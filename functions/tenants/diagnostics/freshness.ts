import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import type { Rollup } from '../../../schemas/ledger/rollup.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';

/** Lookback windows in days, tried in this order. The first finds most newest calls, the second is the limit. */
const LOOKBACK_DAYS = [2, 31];
/** Tolerance for calls with a time in the future. Producers' clocks may be ten minutes ahead. */
const CLOCK_SKEW_MS = HOUR_MS;

/** The minute of a tenant's newest call, and when that minute was aggregated (epoch milliseconds). */
export interface Freshness {
  readonly newestCall: number;
  readonly summedAt: number;
}

/**
 * The freshness of a tenant's rollups at `now` (epoch milliseconds), over all residency lanes. Searches the newest day, then
 * its hours, then its minutes. Null without a call in the last 31 days.
 */
export const freshnessOf = async (
  rollups: RollupReader,
  tenantId: string,
  now: number,
): Promise<Freshness | null> => {
  const hasCalls = ({ groups }: Rollup): boolean => groups.length > 0;
  const newestIn = async (grain: Rollup['grain'], from: number, to: number): Promise<Rollup | undefined> =>
    (await rollups.read(tenantId, { grain, from, to })).findLast(hasCalls);

  const to = startOf('day', now + CLOCK_SKEW_MS) + DAY_MS;
  for (const days of LOOKBACK_DAYS) {
    const day = await newestIn('day', to - days * DAY_MS, to);
    const hour = day && (await newestIn('hour', day.start, day.start + DAY_MS));
    const minute = hour && (await newestIn('minute', hour.start, hour.start + HOUR_MS));
    if (minute !== undefined) return { newestCall: minute.start, summedAt: minute.asOf };
  }
  return null;
};
