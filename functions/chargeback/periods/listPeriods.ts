import { listPeriods } from '../../../schemas/routes/chargeback/periods.ts';
import { readPeriods } from '../../insight/periods/periodStatus.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage, toPage } from '../../platform/http/pages/paging.ts';
import { type Month, monthOf, monthsBetween, startOfMonth } from '../../platform/shared/time/month.ts';

/** Months of which a tenant that has closed none sees that they are open. */
const OPEN_MONTHS = 12;

const monthsAgo = (now: number, months: number): number => {
  const today = new Date(now);
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - months);
};

export default operation(listPeriods, (call) => {
  const { caller, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;
  return respondWithPage(listPeriods, call, async ({ after, asOf }, limit) => {
    const [first] = await stores.closings.list(tenantId);
    const from = first === undefined ? monthsAgo(asOf, OPEN_MONTHS) : startOfMonth(first.month);
    const months = monthsBetween(from, startOfMonth(monthOf(asOf))).reverse();
    const rest = months.filter((month) => after === undefined || month < after);
    const { items, resume } = toPage<Month>(rest, limit, (month) => month);
    return { items: await readPeriods(stores, tenantId, items), resume };
  });
});
