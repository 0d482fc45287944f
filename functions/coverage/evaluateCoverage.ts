import {
  DISCOVERY_RETENTION_DAYS,
  HEARTBEAT_RETENTION_DAYS,
  type PathwayCoverage,
} from '../../schemas/coverage.ts';
import type { RaisedEvent } from '../../schemas/events.ts';
import { createEvent } from '../events/createEvent.ts';
import type { Outbox } from '../events/outbox.store.ts';
import { commit } from '../shared/aws/document.store.ts';
import { sha256Of } from '../shared/hash.ts';
import { ulidOf } from '../shared/ulid.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { assessPathways, type CoverageInput, type PathwayAssessment } from './assessPathways.ts';
import type { CoverageStore } from './coverage.store.ts';
import { type PathwayState, transitionEventType } from './pathwayState.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** Of those who judge a pathway at the same moment one moves it; the others then find nothing left to do. */
const MAX_ATTEMPTS = 5;

interface CoverageStores {
  readonly coverage: CoverageStore;
  readonly outbox: Outbox;
}

type TenantRef = Pick<Tenant, 'tenant_id' | 'tag'>;

/** What is known of a tenant's coverage at `now`, apart from its states. */
export const readCoverageInput = async (
  { coverage }: Pick<CoverageStores, 'coverage'>,
  { tenant_id: tenantId }: Pick<Tenant, 'tenant_id'>,
  now: number,
): Promise<Omit<CoverageInput, 'states'>> => {
  const [seen, found, { document }] = await Promise.all([
    coverage.observations(tenantId, now - HEARTBEAT_RETENTION_DAYS * DAY),
    coverage.discoveries(tenantId, now - DISCOVERY_RETENTION_DAYS * DAY),
    coverage.expectations(tenantId),
  ]);
  return { observations: seen, discoveries: found, expectations: document.expectations };
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
  const cause = [eventType, tenant.tenant_id, pathway_category, since] as const;
  const data = {
    pathway_category,
    previous: previous.state,
    state,
    missing: coverage.missing,
    last_seen: newestIn(coverage),
  };
  return createEvent(eventType, data, { ulid: ulidOf(at, sha256Of('coverage', ...cause)), at, tenant });
};

const newestIn = ({ layers }: PathwayCoverage): string | null =>
  layers
    .map(({ last_seen }) => last_seen)
    .sort()
    .at(-1) ?? null;

/**
 * Judges a tenant's pathways at `now` (epoch milliseconds) and keeps what has moved, each together with the event that
 * tells of it, on top of the state it was judged from: whoever comes second finds nothing to do.
 */
export const evaluateCoverage = async (
  stores: CoverageStores,
  tenant: TenantRef,
  now: number,
): Promise<PathwayCoverage[]> => {
  const input = await readCoverageInput(stores, tenant, now);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const kept = await stores.coverage.states(tenant.tenant_id);
    const known = new Map(kept.map((found) => [found.document.pathway_category, found]));
    const states = new Map(kept.map(({ document }) => [document.pathway_category, document]));
    const assessed = assessPathways({ ...input, states }, now);
    const writes = assessed.flatMap((one) => {
      const previous = known.get(one.next.pathway_category);
      if (previous?.document === one.next) return [];
      const event = eventOf(tenant, previous?.document ?? null, one);
      return [
        stores.coverage.putState(tenant.tenant_id, one.next, previous?.revision ?? null),
        ...(event === null ? [] : [stores.outbox.raise(event)]),
      ];
    });
    if (writes.length === 0 || (await commit(writes))) return assessed.map(({ coverage }) => coverage);
  }
  throw new Error('a pathway was moved by others too often');
};

/** What the schedule does for each tenant, every hour. */
export const coverageEvaluator =
  (stores: CoverageStores) =>
  async (tenant: TenantRef, now: number): Promise<void> => {
    await evaluateCoverage(stores, tenant, now);
  };
