import { updateBudget } from '../../schemas/routes/budgets.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { updateWithRetry } from '../shared/optimisticUpdate.ts';
import { orUnavailable } from '../shared/problem.ts';
import type { StoredBudget } from './budget.store.ts';
import { differInTerms, patchBudget, requireVisible } from './budgetChanges.ts';
import { periodOf } from './budgetPeriod.ts';
import { readPeriodRollups } from './budgetStatus.ts';
import { rearmThresholds } from './crossing.ts';
import { evaluateNow } from './evaluateNow.ts';
import { spendByDay, spendWithin } from './spend.ts';

export default operation(updateBudget, async (call) => {
  const { parameters, body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  let result: StoredBudget | undefined;

  return orUnavailable(async () => {
    const find = () => stores.budgetWriter.find(tenant.tenant_id, parameters['id'] ?? '');
    // What is spent is read before: it hangs on the new period, which may be any of them.
    const periods = [periodOf('quarter', receivedAt), periodOf('rolling_30d', receivedAt)];
    const sums = await readPeriodRollups(stores.rollups, tenant.tenant_id, periods, receivedAt);
    await updateWithRetry(claim, find, ({ document: found }, isRetry) => {
      const budget = requireVisible(caller, found.budget);
      result = budget;
      if (isRetry) return null;
      const patched = patchBudget(budget, body, receivedAt);
      const { spent } = spendWithin(spendByDay(patched, sums), periodOf(patched.period, receivedAt));
      result = differInTerms(budget, patched)
        ? { ...patched, arms: rearmThresholds(budget.arms, patched.ceiling_usd, spent) }
        : patched;
      return [
        stores.budgetWriter.replace(tenant.tenant_id, result, found, claim),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: budget.id })),
      ];
    });
    return reply(200, result && (await evaluateNow(stores, tenant, result, receivedAt)));
  });
});
