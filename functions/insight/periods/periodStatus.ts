import type { ExportSums } from '../../../schemas/chargeback/exportSums.ts';
import type { Period, PeriodStatus } from '../../../schemas/chargeback/periods.ts';
import { formatFixedPoint, parseDifference } from '../../../schemas/fixedPoint.ts';
import type { PeriodVersionReader } from '../../ledger/rollups/periodVersions.store.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { type Month, monthsBetween } from '../../platform/shared/time/month.ts';
import type { ClosingReader } from './closing.store.ts';
import { adjustedPeriod, bookedState, type Closings, closingOf } from './closings.ts';
import { contentOfDays, intervalOf, isBooked, sumsOf } from './monthCopies.ts';

export interface PeriodStores {
  readonly closings: ClosingReader;
  readonly periodVersions: PeriodVersionReader;
  readonly rollups: RollupReader;
}

/** The sums of a month today; null if nothing has changed since it was booked. */
type ReadChanged = (closings: Closings, month: Month) => Promise<ExportSums | null>;

const difference = (one: string, other: string): string =>
  formatFixedPoint(parseDifference(one) - parseDifference(other));

const differenceOf = (one: ExportSums, other: ExportSums): ExportSums => ({
  records: one.records - other.records,
  cost_usd: difference(one.cost_usd, other.cost_usd),
  energy_wh: difference(one.energy_wh, other.energy_wh),
  carbon_gco2e: difference(one.carbon_gco2e, other.carbon_gco2e),
});

const changedReader =
  ({ periodVersions, rollups }: Omit<PeriodStores, 'closings'>, tenantId: string): ReadChanged =>
  async (closings, month) => {
    const booked = bookedState(closings, month);
    if (booked === undefined) return null;
    const range = { grain: 'day', ...intervalOf(month) } as const;
    const content = contentOfDays(await periodVersions.read(tenantId, range));
    return isBooked(booked.book, content) ? null : sumsOf(await rollups.read(tenantId, range));
  };

/** What a closed month has changed by, by the period in which it is booked. */
const adjustmentsOf = (closings: Closings, month: Month, today: ExportSums | null): Period['adjustments'] => {
  const states = closings.flatMap(({ month: booked_in, books }) =>
    books.filter((book) => book.month === month).map(({ sums }) => ({ booked_in, sums })),
  );
  const open = adjustedPeriod(closings);
  if (today !== null && open !== null) states.push({ booked_in: open, sums: today });
  return states.flatMap(({ booked_in, sums }, index) => {
    const before = states[index - 1];
    return before === undefined ? [] : [{ booked_in, sums: differenceOf(sums, before.sums) }];
  });
};

/** A reader of a period as it is with these closings. */
export const periodWith = (closings: Closings, stores: Omit<PeriodStores, 'closings'>, tenantId: string) => {
  const readChanged = changedReader(stores, tenantId);
  return async (month: Month): Promise<Period> => {
    const closing = closingOf(closings, month);
    const own = closing?.books.find((book) => book.month === month);
    if (closing === undefined || own === undefined)
      return { period: month, state: 'open', closed: null, adjustments: [] };
    const adjustments = adjustmentsOf(closings, month, await readChanged(closings, month));
    return {
      period: month,
      state: adjustments.length === 0 ? 'closed' : 'adjusted',
      closed: { at: closing.closed_at, by: closing.closed_by, as_of: closing.as_of, sums: own.sums },
      adjustments,
    };
  };
};

/** The periods of months, in the order given. */
export const readPeriods = async (
  stores: PeriodStores,
  tenantId: string,
  months: readonly Month[],
): Promise<Period[]> =>
  Promise.all(months.map(periodWith(await stores.closings.list(tenantId), stores, tenantId)));

/** What reports say of the periods that a range overlaps. The sums of a period are of all lanes. */
export const readPeriodStatuses = async (
  stores: PeriodStores,
  tenantId: string,
  { from, to }: Interval,
  lane: string | null,
): Promise<PeriodStatus[]> => {
  const periods = await readPeriods(stores, tenantId, from < to ? monthsBetween(from, to - 1) : []);
  return periods.map(({ period, state, adjustments }) => ({
    period,
    state,
    adjustment_usd:
      lane !== null && state === 'adjusted'
        ? null
        : formatFixedPoint(adjustments.reduce((sum, { sums }) => sum + parseDifference(sums.cost_usd), 0n)),
  }));
};
