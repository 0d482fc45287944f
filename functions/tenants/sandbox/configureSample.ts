import type { StoredReset } from '../../../schemas/tenants/sandbox.ts';
import { nextPosition } from '../../attribution/mappings/evaluationOrder.ts';
import type { MappingWriter } from '../../attribution/mappings/mapping.store.ts';
import { buildMapping } from '../../attribution/mappings/mappingChanges.ts';
import type { BudgetWriter } from '../../insight/budgets/budget.store.ts';
import { newBudget } from '../../insight/budgets/budgetChanges.ts';
import { deterministicUlid, idOf } from '../../platform/shared/ids.ts';
import { commitWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { sampleBudgets } from './sample/budgets.ts';
import { teamMappings } from './sample/teams.ts';

const NOTHING = { writes: [], result: undefined };

/**
 * Creates the identity mappings and budgets of the data set. Their ids follow from the reset, so what an interrupted
 * attempt created is not created again. Each item has its own claim: all of them write the head of their collection, and
 * a claim that repeats would let a late write overwrite a newer head.
 */
export const sampleConfigurator =
  (stores: { readonly mappings: MappingWriter; readonly budgets: BudgetWriter }) =>
  async (tenant: Tenant, { reset_id, requested_at }: StoredReset): Promise<void> => {
    const { tenant_id: tenantId, tag } = tenant;
    const at = Date.parse(requested_at);
    for (const request of teamMappings) {
      const by = { claim: `${reset_id} mapping ${request.name}`, attempt: 1 };
      const ulid = deterministicUlid('sandbox mapping', `${reset_id} ${request.name}`, at);
      await commitWithRetry(async () => {
        const lookup = await stores.mappings.find(tenantId, ulid);
        if (lookup.current !== null) return NOTHING;
        const mapping = buildMapping(request, {
          id: idOf('map', tag, ulid),
          position: nextPosition(lookup.head.last),
          effectiveFrom: requested_at,
          at,
          by: reset_id,
        });
        return { writes: stores.mappings.change(tenantId, lookup, mapping, by), result: undefined };
      });
    }
    for (const request of sampleBudgets) {
      const by = { claim: `${reset_id} budget ${request.name}`, attempt: 1 };
      const ulid = deterministicUlid('sandbox budget', `${reset_id} ${request.name}`, at);
      await commitWithRetry(async () => {
        const lookup = await stores.budgets.find(tenantId, ulid);
        if (lookup.current !== null) return NOTHING;
        const id = idOf('bud', tag, ulid);
        const budget = newBudget(request, { id, residency: null, basis: 'records', at, by: reset_id });
        return { writes: stores.budgets.change(tenantId, lookup, budget, by), result: undefined };
      });
    }
  };
