import { DAY_MS } from '../../../schemas/durations.ts';
import { type ReportedSaving, SAVING_MONTH_DAYS, type Saving } from '../../../schemas/insight/savings.ts';
import { RECORDS_SCOPE } from '../../../schemas/routes/disclosure.ts';
import type { SavingsQuery } from '../../../schemas/routes/insight/savings.ts';
import type { NodeHourLineReader } from '../../attribution/allocation/nodeHours/nodeHourLine.store.ts';
import { invocationsOf } from '../../ledger/cohorts/cohortTotals.ts';
import { decimal, toDecimalString, wholeNumber } from '../../platform/shared/decimal.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { calendarOf } from '../../platform/tenancy/tenant.ts';
import { rangeBefore, rangeOf } from '../reports/range.ts';
import { freshnessOf, type ReportStores, readCompared, readPeriod } from '../reports/readPeriods.ts';
import { selectCohorts, selectCompared } from '../reports/report.ts';
import type { PriceStores } from '../reports/tokenPrices.ts';
import { unmatchedNames } from '../reports/unmatchedNames.ts';
import type { DismissalReader } from './dismissals/dismissal.store.ts';
import { isDismissed, withDismissals } from './dismissals/dismissals.ts';
import { idleNodes } from './idleNodes.ts';
import type { SavingsPeriod } from './serviceCalls.ts';

const isShown = {
  exclude: (saving: ReportedSaving) => !isDismissed(saving),
  include: () => true,
  only: isDismissed,
} as const satisfies Record<NonNullable<SavingsQuery['dismissed']>, (saving: ReportedSaving) => boolean>;

const byMost = (one: Saving, other: Saving): number => decimal(other.high_usd).cmp(one.high_usd);

/** The suggestions for a period, the largest first, as of `asOf` (epoch milliseconds). Throws INVALID_REQUEST for an invalid range. */
export const readSavings = async (
  stores: ReportStores &
    PriceStores & {
      readonly nodeHourLines: NodeHourLineReader;
      readonly dismissals: DismissalReader;
    },
  caller: Pick<Caller, 'tenant' | 'residency' | 'scopes'>,
  query: SavingsQuery,
  asOf: number,
) => {
  const { tenant, residency, scopes } = caller;
  const calendar = calendarOf(tenant);
  // As many days as a report by the hour.
  const range = rangeOf({ ...query, interval: 'hour' }, asOf, calendar);
  const before = rangeBefore(query, range, calendar, asOf);
  const seesNodes = scopes.has(RECORDS_SCOPE) && residency === null;
  // Prices and footprints, which most reports do not need.
  const [{ savingsOf }, { readPrices }] = await Promise.all([
    import('./savingsOf.ts'),
    import('../reports/tokenPrices.ts'),
  ]);
  const [factors, now, compared, lines, earlierLines, dismissals, lag] = await Promise.all([
    readPrices(stores, caller),
    readPeriod(stores, tenant, query, range),
    readCompared(stores, tenant, query, before),
    seesNodes ? stores.nodeHourLines.list(tenant.tenant_id, range) : [],
    seesNodes ? stores.nodeHourLines.list(tenant.tenant_id, before) : [],
    stores.dismissals.list(tenant.tenant_id),
    stores.indexLag.totalsLag(tenant.tenant_id),
  ]);
  const current = selectCohorts(now.cohorts, query, range, residency);
  const earlier = selectCompared(compared, query, residency);
  const elapsedMs = Math.max(Math.min(asOf, range.to) - range.from, 1);
  const period: SavingsPeriod = {
    at: new Date(asOf),
    starts: [new Date(before.from), new Date(range.from)],
    lengths: { before: before.to - before.from, now: elapsedMs },
    monthly: (amount) =>
      toDecimalString(amount.times(wholeNumber(SAVING_MONTH_DAYS * DAY_MS)).div(wholeNumber(elapsedMs))),
  };
  const rows = [
    ...savingsOf(
      current,
      earlier.complete ? earlier : null,
      period,
      calendar,
      scopes.has(RECORDS_SCOPE),
      factors,
    ),
    ...idleNodes(lines, earlierLines, period),
  ];
  const all = withDismissals(rows, dismissals, residency);
  return {
    rows: all.filter(isShown[query.dismissed ?? 'exclude']).toSorted(byMost),
    envelope: {
      dismissed_suggestions: all.filter(isDismissed).length,
      period: current.period,
      undetermined_invocations: invocationsOf(current.undetermined),
      warnings: unmatchedNames(current.shown, query),
      time_zone: calendar.timeZone,
      ...freshnessOf([now, compared], lag, range, asOf),
    },
  };
};
