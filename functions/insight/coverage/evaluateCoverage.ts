import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import {
  DISCOVERY_RETENTION_DAYS,
  HEARTBEAT_RETENTION_DAYS,
  type PathwayCoverage,
} from '../../../schemas/insight/coverage.ts';
import { createEvent } from '../../platform/outbox/createEvent.ts';
import type { Outbox } from '../../platform/outbox/outbox.store.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { CONFLICT, retryOnConflict } from '../../platform/shared/retry/retryOnConflict.ts';
import { ulidOf } from '../../platform/shared/ulid.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { assessPathways, type CoverageInput, type PathwayAssessment } from './assessPathways.ts';
import type { CoverageStore } from './coverage.store.ts';
import { type PathwayState, transitionEventType } from './pathwayState.ts';

/** Attempts on write conflicts. Of concurrent evaluations one commits, and the others then have nothing to write. */
const MAX_ATTEMPTS = 5;

interface CoverageStores {
  readonly coverage: CoverageStore;
  readonly outbox: Outbox;
}

type TenantRef = Pick<Tenant, 'tenant_id' | 'tag'>;

/** What the assessment needs besides the stored states. */
export type CoverageData = Omit<CoverageInput, 'states'>;

/** Reads the data of the assessment at `now` (epoch milliseconds). */
export const readCoverage = async (
  { coverage }: Pick<CoverageStores, 'coverage'>,
  { tenant_id: tenantId }: Pick<Tenant, 'tenant_id'>,
  now: number,
): Promise<CoverageData> => {
  const [observations, discoveries, { document }] = await Promise.all([
    coverage.observations(tenantId, now - HEARTBEAT_RETENTION_DAYS * DAY_MS),
    coverage.discoveries(tenantId, now - DISCOVERY_RETENTION_DAYS * DAY_MS),
    coverage.expectations(tenantId),
  ]);
  return { observations, discoveries, expectations: document.expectations };
};

const eventOf = (
  tenant: TenantRef,
  previous: PathwayState | null,
  { next, coverage }: PathwayAssessment,
): RaisedEvent | null => {
  const eventType = transitionEventType(previous, next);
  if (eventType === null || previous === null) return null;
  const { pathway_category, state, since } = next;
  const at = Date.parse(since);
  const dedupKey = [eventType, tenant.tenant_id, pathway_category, since] as const;
  const data = {
    pathway_category,
    previous: previous.state,
    state,
    missing: coverage.missing,
    last_seen: newestIn(coverage),
  };
  return createEvent(eventType, data, { ulid: ulidOf(at, sha256Of('coverage', ...dedupKey)), at, tenant });
};

const newestIn = ({ layers }: PathwayCoverage): string | null =>
  layers
    .map(({ last_seen }) => last_seen)
    .sort()
    .at(-1) ?? null;

/**
 * Evaluates the coverage of a tenant's pathways from `data` at `now` (epoch milliseconds). Stores every changed state in one
 * transaction with its event, with an optimistic lock on the previous states. Throws after {@link MAX_ATTEMPTS} write
 * conflicts.
 */
export const evaluateCoverage = async (
  stores: CoverageStores,
  tenant: TenantRef,
  data: CoverageData,
  now: number,
): Promise<PathwayCoverage[]> => {
  const evaluateOnce = async (): Promise<PathwayCoverage[] | typeof CONFLICT> => {
    const stored = await stores.coverage.states(tenant.tenant_id);
    const known = new Map(stored.map((one) => [one.document.pathway_category, one]));
    const states = new Map(stored.map(({ document }) => [document.pathway_category, document]));
    const assessed = assessPathways({ ...data, states }, now);
    const writes = assessed.flatMap((one) => {
      const previous = known.get(one.next.pathway_category);
      if (previous?.document === one.next) return [];
      const event = eventOf(tenant, previous?.document ?? null, one);
      return [
        stores.coverage.putState(tenant.tenant_id, one.next, previous?.revision ?? null),
        ...(event === null ? [] : [stores.outbox.raise(event)]),
      ];
    });
    const isCurrent = writes.length === 0 || (await commit(writes));
    return isCurrent ? assessed.map(({ coverage }) => coverage) : CONFLICT;
  };
  const subject = `the coverage states of tenant ${tenant.tenant_id}`;
  return retryOnConflict(evaluateOnce, { maxAttempts: MAX_ATTEMPTS, subject });
};

/** Evaluates coverage for the hourly schedule. */
export const coverageEvaluator =
  (stores: CoverageStores) =>
  async (tenant: TenantRef, now: number): Promise<void> => {
    await evaluateCoverage(stores, tenant, await readCoverage(stores, tenant, now), now);
  };
