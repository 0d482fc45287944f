import { updateBudget } from '../../../schemas/routes/insight/budgets.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import type { StoredBudget } from './budget.store.ts';
import { differInTerms, patchBudget, requireChangeable, requireVisible } from './budgetChanges.ts';
import { periodOf } from './budgetPeriod.ts';
import { rearmThresholds } from './crossing.ts';
import { evaluateNow } from './evaluateNow.ts';
import { readSpend } from './readSpend.ts';
import { spendWithin } from './spend.ts';
import { watchTags } from './watchedTags.ts';

export default operation(updateBudget, async (call) => {
  const { parameters, body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  let result: StoredBudget | undefined;

  const find = () => stores.budgetWriter.find(tenant.tenant_id, parameters['id'] ?? '');
  // The spend is read before the retry loop. These two periods contain any period that the patch can set.
  const periods = [periodOf('quarter', receivedAt), periodOf('rolling_30d', receivedAt)];
  const bases = [{ basis: 'records' }, { basis: 'cohorts' }] as const;
  const spendOf = await readSpend(stores.rollups, tenant.tenant_id, bases, periods, receivedAt);
  await updateWithRetry(claim, find, ({ document: lookup }, isRetry) => {
    const budget = requireVisible(caller, lookup.current);
    result = budget;
    if (isRetry) return null;
    requireChangeable(caller, budget, body);
    const patched = patchBudget(budget, body, receivedAt);
    const { spent } = spendWithin(spendOf(patched), periodOf(patched.period, receivedAt));
    result = differInTerms(budget, patched)
      ? { ...patched, rearm_counts: rearmThresholds(budget.rearm_counts, patched.ceiling_usd, spent) }
      : patched;
    return [
      stores.budgetWriter.replace(tenant.tenant_id, result, lookup, claim),
      stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: budget.id })),
    ];
  });
  if (result !== undefined) await watchTags(stores, tenant, result, receivedAt);
  return reply(200, result && (await evaluateNow(stores, caller, result, receivedAt)));
});
