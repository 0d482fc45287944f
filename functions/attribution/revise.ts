import type { Attribution } from '../ledger/attribution.ts';
import type { CorrectionLedger } from '../ledger/correction.store.ts';
import { recordPartitionOf } from '../ledger/ledgerKey.ts';
import { commit, type Revision } from '../shared/aws/document.store.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { Announce } from './materialized.ts';

/** Of writers that revise one record at the same moment one gets through each time, so this many do. */
const TRIES = 12;
/** A decision that took longer is made anew, so that a version is written soon behind its beginning. Milliseconds. */
const DECISION_MAXIMUM = 1_000;

export type Revised = 'revised' | 'unchanged' | 'missing';

/** What becomes of a record as it stands, from `at` (epoch milliseconds) on; null for what it is already. */
export type Decide = (current: Attribution, at: number) => Promise<Attribution | null> | Attribution | null;

/**
 * Writes the next version of a record on top of whatever others write at the same time. `decide` is asked again with
 * each newer version it meets. Throws when others come first too often.
 */
export const reviser =
  (ledger: CorrectionLedger, clock: () => number, announce: Announce) =>
  async (
    tenant: Pick<Tenant, 'tenant_id' | 'tag' | 'shards'>,
    ulid: string,
    by: Revision,
    decide: Decide,
  ): Promise<Revised> => {
    const place = { partition: recordPartitionOf(tenant, ulid), ulid };
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const found = await ledger.find(tenant.tenant_id, place, by.claim);
      if (found === null) return 'missing';
      const { attribution, validity } = found.document.newest;
      // A version begins behind the one it ends, whatever the clocks of those who made them.
      const now = clock();
      const next = await decide(attribution, Math.max(now, validity.from + 1));
      if (next === null) return 'unchanged';
      const along = await announce(tenant, next);
      if (clock() - now > DECISION_MAXIMUM) continue;
      const writes = [...ledger.succeed(place, found.document, next, by), ...along];
      if (await commit(writes)) return 'revised';
    }
    throw new Error('a record was revised by others too often');
  };
export type Revise = ReturnType<typeof reviser>;
