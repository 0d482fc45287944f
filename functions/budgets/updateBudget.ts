import { updateBudget } from '../../schemas/routes/budgets.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { change } from '../shared/change.ts';
import { orUnavailable } from '../shared/problem.ts';
import type { StoredBudget } from './budget.store.ts';
import { rearmed } from './crossing.ts';
import { differInTerms, patchedBudget, seenBy } from './edit.ts';
import { periodOf } from './period.ts';
import { spendByDay, spendWithin } from './spend.ts';
import { rollupsOf } from './standing.ts';
import { watchedNow } from './watchedNow.ts';

export default operation(updateBudget, async (call) => {
  const { parameters, body, caller, receivedAt, claim, occasion, stores } = call;
  const { tenant } = caller;
  let result: StoredBudget | undefined;

  return orUnavailable(async () => {
    const find = () => stores.budgetWriter.find(tenant.tenant_id, parameters['id'] ?? '');
    // What is spent is read before: it hangs on the new period, which may be any of them.
    const periods = [periodOf('quarter', receivedAt), periodOf('rolling_30d', receivedAt)];
    const sums = await rollupsOf(stores.rollups, tenant.tenant_id, periods, receivedAt);
    await change(claim, find, ({ document: found }, isRetry) => {
      const budget = seenBy(caller, found.budget);
      result = budget;
      if (isRetry) return null;
      const patched = patchedBudget(budget, body, receivedAt);
      const { spent } = spendWithin(spendByDay(patched, sums), periodOf(patched.period, receivedAt));
      result = differInTerms(budget, patched)
        ? { ...patched, arms: rearmed(budget.arms, patched.ceiling_usd, spent) }
        : patched;
      return [
        stores.budgetWriter.replace(tenant.tenant_id, result, found, claim),
        stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: budget.id })),
      ];
    });
    return reply(200, result && (await watchedNow(stores, tenant, result, receivedAt)));
  });
});
