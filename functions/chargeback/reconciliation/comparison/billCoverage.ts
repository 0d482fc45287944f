import type { BillCoverage } from '../../../../schemas/chargeback/reconciliation.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { startOf } from '../../../ledger/rollups/grain.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { isoOrNull, utcDateOf } from '../../../platform/shared/time/toIso.ts';
import type { BilledDay } from '../rows/bill.ts';
import { firstImportedDay, isLate, LATE_AFTER_MS, type StoredBillSource } from '../sources/billSource.ts';

type Source = Pick<StoredBillSource, 'provider' | 'paused' | 'created_at' | 'imports'>;

interface Bills {
  /** The providers of the recorded calls of the period, as far as they are shown. */
  readonly recorded: readonly string[];
  /** The bills of the months of the period. */
  readonly billed: readonly BilledDay[];
  readonly sources: readonly Source[];
}

/** The UTC days of a period up to today: their starts in epoch milliseconds. */
const pastDays = ({ from, to }: Interval, now: number): number[] => {
  const end = Math.min(to, startOf('day', now) + DAY_MS);
  return Array.from({ length: Math.max(0, (end - from) / DAY_MS) }, (_, index) => from + index * DAY_MS);
};

/** Whether the provider has published nothing for a day that a source reads, nor for a later one. */
const awaits = (source: Source, day: number): boolean =>
  day >= (source.imports.published_until ?? firstImportedDay(source));

const ofProvider = (
  { billed, sources }: Pick<Bills, 'billed' | 'sources'>,
  provider: string,
  period: Interval,
  now: number,
): BillCoverage => {
  const billedDays = new Set(billed.map(({ day }) => day));
  const ends = billed.flatMap(({ rows }) => rows.map(({ end }) => end));
  const until = ends.length === 0 ? null : ends.reduce((one, other) => Math.max(one, other));
  const missing = pastDays(period, now).filter(
    (day) => !billedDays.has(utcDateOf(day)) || sources.some((source) => awaits(source, day)),
  );
  const isOverdue = (day: number): boolean =>
    until !== null && day >= until && now > day + DAY_MS + LATE_AFTER_MS;
  return {
    provider,
    billed_until: isoOrNull(until),
    is_late: sources.length === 0 ? missing.some(isOverdue) : sources.some((source) => isLate(source, now)),
    days_without_bill: missing.map(utcDateOf),
  };
};

/**
 * For each provider with recorded calls, bills or bill sources: whether its bill is late, and the days that it lacks. `now`
 * is epoch milliseconds. It depends on bills and on names that rows show, so it tells nothing more about recorded calls.
 */
export const billCoverageOf = (
  { recorded, billed, sources }: Bills,
  period: Interval,
  now: number,
): BillCoverage[] => {
  const names = [
    ...recorded,
    ...billed.map((day) => day.provider),
    ...sources.map((source) => source.provider),
  ];
  const billedBy = Map.groupBy(billed, ({ provider }) => provider);
  return [...new Set(names)].sort().map((provider) => {
    const ownSources = sources.filter((source) => source.provider === provider);
    return ofProvider({ billed: billedBy.get(provider) ?? [], sources: ownSources }, provider, period, now);
  });
};
