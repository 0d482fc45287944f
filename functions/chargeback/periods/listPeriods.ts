import { listPeriods } from '../../../schemas/routes/chargeback/periods.ts';
import { readPeriods } from '../../insight/periods/periodStatus.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { monthOf, monthsBetween, startOfMonth } from '../../platform/shared/time/month.ts';

/** Months of which a tenant that has closed none sees that they are open. */
const OPEN_MONTHS = 12;

const monthsAgo = (now: number, months: number): number => {
  const today = new Date(now);
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - months);
};

export default operation(listPeriods, async ({ caller, receivedAt, stores }) => {
  const { tenant_id: tenantId } = caller.tenant;
  const [first] = await stores.closings.list(tenantId);
  const from = first === undefined ? monthsAgo(receivedAt, OPEN_MONTHS) : startOfMonth(first.month);
  const months = monthsBetween(from, startOfMonth(monthOf(receivedAt)));
  return reply(200, { items: await readPeriods(stores, tenantId, months.reverse()) });
});
