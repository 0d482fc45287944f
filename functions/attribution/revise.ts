import type { Attribution } from '../ledger/attribution.ts';
import { recordPartitionOf } from '../ledger/ledgerKey.ts';
import type { RecordVersionStore } from '../ledger/recordVersion.store.ts';
import { commit, type Revision } from '../shared/aws/document.store.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { BuildEventWrites } from './recordEvents.ts';

/** Of writers that revise one record at the same moment one gets through each time, so this many do. */
const MAX_ATTEMPTS = 12;
/** A decision that took longer is made anew, so that a version is written soon behind its beginning. Milliseconds. */
const MAX_DECISION_MS = 1_000;

export type RevisionOutcome = 'revised' | 'unchanged' | 'missing';

/** What becomes of a record as it stands, from `at` (epoch milliseconds) on; null for what it is already. */
export type Decide = (current: Attribution, at: number) => Promise<Attribution | null> | Attribution | null;

/**
 * Writes the next version of a record on top of whatever others write at the same time. `decide` is asked again with
 * each newer version it meets. Throws when others come first too often.
 */
export const reviser =
  (ledger: RecordVersionStore, clock: () => number, buildEventWrites: BuildEventWrites) =>
  async (
    tenant: Pick<Tenant, 'tenant_id' | 'tag' | 'shards'>,
    ulid: string,
    by: Revision,
    decide: Decide,
  ): Promise<RevisionOutcome> => {
    const key = { partition: recordPartitionOf(tenant, ulid), ulid };
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const found = await ledger.find(tenant.tenant_id, key, by.claim);
      if (found === null) return 'missing';
      const { attribution, validity } = found.document.newest;
      // A version begins behind the one it ends, whatever the clocks of those who made them.
      const now = clock();
      const next = await decide(attribution, Math.max(now, validity.from + 1));
      if (next === null) return 'unchanged';
      const eventWrites = await buildEventWrites(tenant, next);
      if (clock() - now > MAX_DECISION_MS) continue;
      const writes = [...ledger.appendVersion(key, found.document, next, by), ...eventWrites];
      if (await commit(writes)) return 'revised';
    }
    throw new Error('a record was revised by others too often');
  };
export type Revise = ReturnType<typeof reviser>;
