import type * as z from 'zod';
import type { ReconciliationRow } from '../../schemas/reconciliation.ts';
import {
  type Grouping,
  getReconciliation,
  RECONCILED_DAYS_MAXIMUM,
  RECONCILED_ROWS_MAXIMUM,
  type ReconciliationQuery,
} from '../../schemas/routes/reconciliation.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { LENGTH, startOf } from '../rollups/grain.ts';
import { invalidParameter, orUnavailable, ProblemError } from '../shared/problem.ts';
import { toIso } from '../shared/toIso.ts';
import { compare } from './compare.ts';
import type { ComparedRow, Period, Sums } from './reconcile.ts';

const DAYS_DEFAULT = 30;
const GROUPING_DEFAULT: readonly Grouping[] = ['provider', 'model'];

const instant = (at: number | null): string | null => (at === null ? null : toIso(at));
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The period of a query in whole days. Epoch milliseconds, `to` excluded. Throws INVALID_FILTER. */
const periodOf = ({ from, to }: z.infer<typeof ReconciliationQuery>, now: number): Period => {
  const end = to === undefined ? startOf('day', now) + LENGTH.day : Date.parse(to);
  const start = from === undefined ? end - DAYS_DEFAULT * LENGTH.day : Date.parse(from);
  const days = (end - start) / LENGTH.day;
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

const toResponse = ({ until, ...sums }: Sums) => ({ ...sums, billed_until: instant(until) });

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

export default operation(getReconciliation, async ({ query, caller, receivedAt: now, stores }) => {
  const { tenant_id: tenantId } = caller.tenant;
  const period = periodOf(query, now);
  const by = query.group_by ?? GROUPING_DEFAULT;
  const [{ rows, totals, exact, newest }, watermark] = await orUnavailable(() =>
    Promise.all([compare(stores, tenantId, period, by), stores.bills.watermark(tenantId)]),
  );
  if (rows.length > RECONCILED_ROWS_MAXIMUM) {
    throw new ProblemError(
      'INVALID_FILTER',
      `The comparison has more than ${RECONCILED_ROWS_MAXIMUM} rows. Shorten the period or group by fewer fields.`,
    );
  }
  return reply(200, {
    data: rows.map(rowOf),
    period: { from: dayOf(period.from), to: dayOf(period.to), exact },
    totals: toResponse(totals),
    as_of: {
      attributed: instant(newest),
      billed: instant(watermark?.at ?? null),
      billed_until: instant(watermark?.until ?? null),
    },
    stale: watermark === null || now - watermark.until > LENGTH.day,
  });
});
