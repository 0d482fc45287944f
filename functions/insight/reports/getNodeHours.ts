import { formatFixedPoint, parseFixedPoint } from '../../../schemas/fixedPoint.ts';
import { getNodeHours } from '../../../schemas/routes/insight/nodeHours.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { calendarOf } from '../../platform/tenancy/tenant.ts';
import { rangeOf } from './range.ts';

const sumOf = (amounts: readonly string[]): string =>
  formatFixedPoint(amounts.reduce((sum, amount) => sum + parseFixedPoint(amount), 0n));

export default operation(getNodeHours, async ({ query, caller, receivedAt, stores }) => {
  const { tenant } = caller;
  const range = rangeOf({ ...query, interval: 'hour' }, receivedAt, calendarOf(tenant));
  const lines = await stores.nodeHourLines.list(tenant.tenant_id, range);
  const totals = {
    cost_usd: sumOf(lines.map(({ cost_usd }) => cost_usd)),
    charged_usd: sumOf(lines.map(({ charged_usd }) => charged_usd)),
    idle_usd: sumOf(lines.map(({ idle_usd }) => idle_usd)),
  };
  return reply(200, { lines, totals });
});
