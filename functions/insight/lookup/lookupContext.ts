import { BUDGETS_MAXIMUM } from '../../../schemas/insight/budgets.ts';
import { LOOKUP_AGE_SECONDS_MAXIMUM } from '../../../schemas/routes/insight/lookup.ts';
import { UTC } from '../../../schemas/tenants/timeZone.ts';
import type { MappingReader } from '../../attribution/mappings/mapping.store.ts';
import { mappingCache } from '../../attribution/mappings/mappingCache.ts';
import type { CompiledMappings } from '../../attribution/mappings/mappingRules.ts';
import { cacheLookups } from '../../platform/shared/caches/lookupCache.ts';
import { type Calendar, calendarIn } from '../../platform/shared/time/calendar.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import { calendarOf, type Tenant } from '../../platform/tenancy/tenant.ts';
import type { Crossing } from '../budgets/alerts/crossing.ts';
import type { BudgetReader, StoredBudget } from '../budgets/budget.store.ts';
import { budgetNow, readCrossings } from '../budgets/budgetInPeriod.ts';

/** In tenants. A tenant has at most 500 mappings and 200 budgets, so this bounds the memory. */
const CACHE_CAPACITY = 100;

/** What the answers for a tenant depend on. */
export interface LookupContext {
  readonly mappings: CompiledMappings;
  readonly budgets: readonly StoredBudget[];
  /** The recorded crossings of the current period of a budget. */
  readonly crossingsOf: (budget: StoredBudget) => readonly Crossing[];
  /** When it was read, epoch milliseconds. */
  readonly readAt: number;
}

/**
 * Returns a loader of a tenant's context, which is at most 5 seconds old. It reads the revision of the mappings, the
 * mappings only if the revision changed, one page of budgets, and the crossings of at most three periods. The number of
 * reads does not depend on the number of calls, records or budgets.
 */
export const lookupContext = (
  stores: { readonly mappings: MappingReader; readonly budgets: Pick<BudgetReader, 'budgets' | 'crossings'> },
  clock: Clock,
): ((tenant: Pick<Tenant, 'tenant_id' | 'time_zone'>) => Promise<LookupContext>) => {
  const mappingsOf = mappingCache(stores.mappings, CACHE_CAPACITY);

  const readBudgets = async (tenantId: string, calendar: Calendar, now: number) => {
    const budgets = await stores.budgets.budgets(tenantId, { descending: false, limit: BUDGETS_MAXIMUM });
    const inPeriod = (budget: StoredBudget) => budgetNow(budget, now, calendar);
    const crossingsIn = await readCrossings(stores.budgets, tenantId, budgets.map(inPeriod));
    return { budgets, crossingsOf: (budget: StoredBudget) => crossingsIn(inPeriod(budget)) };
  };

  /** A tenant that changes its time zone is another key. */
  const read = async (key: string): Promise<LookupContext> => {
    const [tenantId = '', timeZone = UTC] = key.split('#');
    const readAt = clock();
    const [mappings, budgets] = await Promise.all([
      mappingsOf(tenantId),
      readBudgets(tenantId, calendarIn(timeZone), readAt),
    ]);
    return { mappings, ...budgets, readAt };
  };
  const lifetime = LOOKUP_AGE_SECONDS_MAXIMUM * 1_000;
  const cached = cacheLookups<LookupContext>(read, { lifetime, capacity: CACHE_CAPACITY, clock });

  return async (tenant) => {
    const key = `${tenant.tenant_id}#${calendarOf(tenant).timeZone}`;
    return (await cached(key)) ?? read(key);
  };
};
