import { BillDelivery } from '../../../schemas/chargeback/billDeliveries.ts';
import { postBills, REJECTED_MAXIMUM } from '../../../schemas/routes/chargeback/bills.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { sumDecimals } from '../../platform/shared/decimal.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { daysOf, isActive, scopeOf } from './deliveries/delivery.ts';
import { declaredDelivery, mergedDelivery, mergedId } from './deliveries/nextDelivery.ts';
import { deliveryWrites, findDelivery } from './deliveries/storeDelivery.ts';
import { toDelivery } from './deliveries/toDelivery.ts';

export default operation(postBills, async (call) => {
  const { body, caller, claim, receivedAt, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;
  const { delivery: declared, complete = false, atomic = false } = body;
  const scope = declared === undefined ? null : scopeOf(declared);
  // Loaded with the first bill: the function starts for events without it.
  const { readRows } = await import('./rows/readRows.ts');
  const { lines, rejected, rounded } = readRows(body.rows, scope, body.exchange_rates);
  if (rejected.length > 0 && (atomic || lines.length === 0)) {
    const errors = rejected.flatMap((row) => row.errors).slice(0, REJECTED_MAXIMUM);
    throw new ProblemError('VALIDATION_FAILED', 'Rows cannot be read.', { errors });
  }
  const sent = { lines, rejected: rejected.length, by: caller.principal, at: receivedAt };
  const decide = async () => {
    const found = await findDelivery(stores.billWriter, tenantId, declared?.id ?? mergedId(lines));
    const stored = found.current?.document ?? null;
    const current = stored !== null && isActive(stored, receivedAt) ? stored : null;
    const change =
      declared === undefined
        ? mergedDelivery(current, sent)
        : declaredDelivery(current, declared, complete, sent);
    return { ...change, found, current };
  };
  if (claim.effect === null) {
    const { next, page, current } = await decide();
    // More than a transaction takes. They count once their delivery names the page.
    if (page !== null && current?.pages[page] === undefined)
      await stores.billWriter.putLines(tenantId, next, page, lines);
  }
  const { result: delivery } = await changeOnce(call, BillDelivery, async () => {
    const { next, isChanged, found, current } = await decide();
    const result = toDelivery(next, receivedAt);
    if (!isChanged) return { writes: [], result, resource: null };
    return {
      writes: await deliveryWrites(stores.billWriter, tenantId, found, next, claim),
      result,
      resource: next.id,
      before: current && toDelivery(current, receivedAt),
      after: result,
    };
  });
  return reply(200, {
    rows: body.rows.length - rejected.length,
    rejected_rows: rejected.length,
    rejected: rejected.slice(0, REJECTED_MAXIMUM),
    rounded_rows: rounded,
    ...(lines.length === 0 && scope !== null ? { from: scope.from, to: scope.to } : daysOf(lines)),
    billed_usd: sumDecimals(lines.flatMap(({ usage, cost }) => (usage ? cost : []))),
    as_of: toIso(receivedAt),
    delivery,
  });
});
