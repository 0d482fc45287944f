import { updateBudget } from '../../../schemas/routes/insight/budgets.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { differInTerms, patchBudget, requireChangeable } from './budgetChanges.ts';
import { periodOf } from './budgetPeriod.ts';
import { budgetResource } from './budgetResource.ts';
import { rearmThresholds } from './crossing.ts';
import { evaluateNow } from './evaluateNow.ts';
import { readSpend } from './readSpend.ts';
import { spendWithin } from './spend.ts';
import { watchTags } from './watchedTags.ts';

export default operation(updateBudget, async (call) => {
  const { body, caller, receivedAt, stores } = call;
  const { tenant } = caller;
  // The spend is read before the retry loop. These two periods contain any period that the patch can set.
  const periods = [periodOf('quarter', receivedAt), periodOf('rolling_30d', receivedAt)];
  const bases = [{ basis: 'records' }, { basis: 'cohorts' }] as const;
  const spendOf = await readSpend(stores.rollups, tenant.tenant_id, bases, periods, receivedAt);
  const { document } = await budgetResource(stores.budgetWriter).update(call, (budget) => {
    requireChangeable(caller, budget, body);
    const patched = patchBudget(budget, body, receivedAt);
    if (!differInTerms(budget, patched)) return patched;
    const { spent } = spendWithin(spendOf(patched), periodOf(patched.period, receivedAt));
    return { ...patched, rearm_counts: rearmThresholds(budget.rearm_counts, patched.ceiling_usd, spent) };
  });
  await watchTags(stores, tenant, document, receivedAt);
  return reply(200, await evaluateNow(stores, caller, document, receivedAt));
});
