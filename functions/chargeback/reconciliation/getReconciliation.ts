import type * as z from 'zod';
import { BILL_SOURCES_MAXIMUM } from '../../../schemas/chargeback/billSources.ts';
import type { ReconciliationRow } from '../../../schemas/chargeback/reconciliation.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import {
  type Grouping,
  getReconciliation,
  RECONCILED_DAYS_MAXIMUM,
  type ReconciliationQuery,
} from '../../../schemas/routes/chargeback/reconciliation.ts';
import { readPeriodStatuses } from '../../insight/periods/periodStatus.ts';
import { completeUntil } from '../../ledger/freshness/totalsLag.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithResult } from '../../platform/http/pages/resultPages.ts';
import { invalidParameter } from '../../platform/shared/problem.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { isoOrNull, utcDateOf } from '../../platform/shared/time/toIso.ts';
import { billCoverageOf } from './comparison/billCoverage.ts';
import { compare } from './comparison/compare.ts';
import type { ComparedRow, Sums } from './comparison/reconcile.ts';

/** Each of them reads contract prices. */
const PRICE_SCOPES: readonly Scope[] = ['admin:config', 'finance:config'];
const withheldPrices = { contractPrices: async () => null };

const DAYS_DEFAULT = 30;
const GROUPING_DEFAULT: readonly Grouping[] = ['provider', 'model'];

/** The period of a query in whole days. Epoch milliseconds, `to` excluded. Throws INVALID_FILTER. */
const periodOf = ({ from, to }: z.infer<typeof ReconciliationQuery>, now: number): Interval => {
  const end = to === undefined ? startOf('day', now) + DAY_MS : Date.parse(to);
  const start = from === undefined ? end - DAYS_DEFAULT * DAY_MS : Date.parse(from);
  const days = (end - start) / DAY_MS;
  if (days < 1 || days > RECONCILED_DAYS_MAXIMUM) {
    throw invalidParameter(
      'INVALID_FILTER',
      `The period must have 1 to ${RECONCILED_DAYS_MAXIMUM} days.`,
      'from',
      'to',
    );
  }
  return { from: start, to: end };
};

const toResponse = ({ until, ...sums }: Sums) => ({ ...sums, billed_until: isoOrNull(until) });

const rowOf = ({ kind, values, sums }: ComparedRow): ReconciliationRow => {
  const { provider, model, day } = values;
  return {
    kind,
    ...(typeof provider === 'string' && { provider }),
    ...(model !== undefined && { model }),
    ...(typeof day === 'string' && { day }),
    ...toResponse(sums),
  };
};

export default operation(getReconciliation, (call) => {
  const { query, caller, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;
  const { contractPrices } = PRICE_SCOPES.some((scope) => caller.scopes.has(scope))
    ? stores.tenants
    : withheldPrices;
  const by = query.group_by ?? GROUPING_DEFAULT;
  return respondWithResult(getReconciliation, call, async (asOf) => {
    const period = periodOf(query, asOf);
    const [compared, watermark, lag, sources, periods] = await Promise.all([
      compare({ ...stores, contractPrices }, tenantId, period, by),
      stores.bills.watermark(tenantId),
      stores.indexLag.totalsLag(tenantId),
      stores.billSources.sources(tenantId, { descending: false, limit: BILL_SOURCES_MAXIMUM }),
      readPeriodStatuses(stores, tenantId, period, caller.residency),
    ]);
    const { rows, totals, exact, newest, suggestedPrices, ...bills } = compared;
    return {
      rows: rows.map(rowOf),
      envelope: {
        period: { from: utcDateOf(period.from), to: utcDateOf(period.to), exact },
        billing_periods: periods,
        totals: toResponse(totals),
        bill_coverage: billCoverageOf({ ...bills, sources }, period, asOf),
        suggested_prices: suggestedPrices,
        as_of: {
          attributed: isoOrNull(completeUntil(newest, lag, asOf)),
          billed: isoOrNull(watermark?.at),
          billed_until: isoOrNull(watermark?.until),
        },
        recorded_stale: lag.isStale,
        stale: watermark === null || asOf - watermark.until > DAY_MS,
      },
    };
  });
});
