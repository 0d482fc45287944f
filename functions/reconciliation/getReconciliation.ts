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
import { orUnavailable, ProblemError } from '../http/problem.ts';
import { reply } from '../http/reply.ts';
import { LENGTH, startOf } from '../rollups/period.ts';
import { rollupsWithin } from '../rollups/within.ts';
import type { Weighed } from './balance.ts';
import { requireAllLanes } from './lane.ts';
import { cellsOf, type Group, groupCells, totalBalance } from './reconcile.ts';

const DAYS_DEFAULT = 30;
const GROUPING_DEFAULT: readonly Grouping[] = ['provider', 'model'];

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The days a query is about, epoch milliseconds; `to` excluded. Throws INVALID_FILTER. */
const periodOf = ({ from, to }: z.infer<typeof ReconciliationQuery>, now: number) => {
  const end = to === undefined ? startOf('day', now) + LENGTH.day : Date.parse(to);
  const start = from === undefined ? end - DAYS_DEFAULT * LENGTH.day : Date.parse(from);
  const days = (end - start) / LENGTH.day;
  if (days < 1 || days > RECONCILED_DAYS_MAXIMUM) {
    throw new ProblemError('INVALID_FILTER', `A period has 1 to ${RECONCILED_DAYS_MAXIMUM} days.`);
  }
  return { from: start, to: end };
};

const daysIn = ({ from, to }: { readonly from: number; readonly to: number }): string[] =>
  Array.from({ length: (to - from) / LENGTH.day }, (_, index) => dayOf(from + index * LENGTH.day));

const told = ({ until, ...balance }: Weighed) => ({ ...balance, billed_until: instant(until) });

const rowOf = ({ cell, balance }: Group, by: readonly Grouping[]): ReconciliationRow => ({
  ...(by.includes('provider') && { provider: cell.provider }),
  ...(by.includes('model') && { model: cell.model }),
  ...(by.includes('day') && { day: cell.day }),
  ...told(balance),
});

export default operation(getReconciliation, async ({ query, caller, receivedAt: now, stores }) => {
  requireAllLanes(caller);
  const { tenant_id: tenantId } = caller.tenant;
  const period = periodOf(query, now);
  const by = query.group_by ?? GROUPING_DEFAULT;
  const [rollups, bills, head] = await orUnavailable(() =>
    Promise.all([
      rollupsWithin(stores.rollups, tenantId, period),
      stores.bills.days(tenantId, daysIn(period)),
      stores.bills.head(tenantId),
    ]),
  );
  const cells = cellsOf(rollups, bills);
  const groups = groupCells(cells, by);
  if (groups.length > RECONCILED_ROWS_MAXIMUM) {
    throw new ProblemError(
      'INVALID_FILTER',
      `The comparison has more than ${RECONCILED_ROWS_MAXIMUM} rows: shorten the period, or group by less.`,
    );
  }
  const summedAt = rollups.length === 0 ? null : Math.max(...rollups.map(({ asOf }) => asOf));
  return reply(200, {
    data: groups.map((group) => rowOf(group, by)),
    period: { from: dayOf(period.from), to: dayOf(period.to) },
    totals: told(totalBalance(cells)),
    as_of: {
      attributed: instant(summedAt),
      billed: instant(head?.at ?? null),
      billed_until: instant(head?.until ?? null),
    },
    stale: head === null || now - head.until > LENGTH.day,
  });
});
