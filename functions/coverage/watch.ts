import { DISCOVERED_DAYS, type PathwayCoverage, SEEN_DAYS } from '../../schemas/coverage.ts';
import type { RaisedEvent } from '../../schemas/events.ts';
import type { Outbox } from '../events/outbox.store.ts';
import { raisedEvent } from '../events/raise.ts';
import { commit } from '../shared/aws/document.store.ts';
import { sha256Of } from '../shared/hash.ts';
import { ulidOf } from '../shared/ulid.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { type Assessed, assess, type Knowledge } from './assess.ts';
import type { CoverageStore } from './coverage.store.ts';
import { moveOf, type PathwayState } from './state.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** Of those who judge a pathway at the same moment one moves it; the others then find nothing left to do. */
const TRIES = 5;

interface CoverageStores {
  readonly coverage: CoverageStore;
  readonly outbox: Outbox;
}

type Named = Pick<Tenant, 'tenant_id' | 'tag'>;

/** What is known of a tenant's coverage at `now`, apart from its states. */
export const knowledgeOf = async (
  { coverage }: Pick<CoverageStores, 'coverage'>,
  { tenant_id: tenantId }: Pick<Tenant, 'tenant_id'>,
  now: number,
): Promise<Omit<Knowledge, 'states'>> => {
  const [seen, found, { document }] = await Promise.all([
    coverage.seen(tenantId, now - SEEN_DAYS * DAY),
    coverage.found(tenantId, now - DISCOVERED_DAYS * DAY),
    coverage.expectations(tenantId),
  ]);
  return { seen, found, expectations: document.expectations };
};

const eventOf = (
  tenant: Named,
  previous: PathwayState | null,
  { next, coverage }: Assessed,
): RaisedEvent | null => {
  const move = moveOf(previous, next);
  if (move === null || previous === null) return null;
  const { pathway_category, state, since } = next;
  const at = Date.parse(since);
  const cause = [move, tenant.tenant_id, pathway_category, since] as const;
  const data = {
    pathway_category,
    previous: previous.state,
    state,
    missing: coverage.missing,
    last_seen: newestIn(coverage),
  };
  return raisedEvent(move, data, { ulid: ulidOf(at, sha256Of('coverage', ...cause)), at, tenant });
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
export const settleCoverage = async (
  stores: CoverageStores,
  tenant: Named,
  now: number,
): Promise<PathwayCoverage[]> => {
  const knowledge = await knowledgeOf(stores, tenant, now);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const kept = await stores.coverage.states(tenant.tenant_id);
    const known = new Map(kept.map((found) => [found.document.pathway_category, found]));
    const states = new Map(kept.map(({ document }) => [document.pathway_category, document]));
    const assessed = assess({ ...knowledge, states }, now);
    const writes = assessed.flatMap((one) => {
      const seen = known.get(one.next.pathway_category);
      if (seen?.document === one.next) return [];
      const event = eventOf(tenant, seen?.document ?? null, one);
      return [
        stores.coverage.putState(tenant.tenant_id, one.next, seen?.revision ?? null),
        ...(event === null ? [] : [stores.outbox.raise(event)]),
      ];
    });
    if (writes.length === 0 || (await commit(writes))) return assessed.map(({ coverage }) => coverage);
  }
  throw new Error('a pathway was moved by others too often');
};

/** What the schedule does for each tenant, every hour. */
export const coverageWatch =
  (stores: CoverageStores) =>
  async (tenant: Named, now: number): Promise<void> => {
    await settleCoverage(stores, tenant, now);
  };
