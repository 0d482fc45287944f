import type { Attribution } from '../../ledger/records/attribution.ts';
import { recordPartitionOf, versionKeyOf } from '../../ledger/records/ledgerKey.ts';
import type { RecordVersionStore } from '../../ledger/records/recordVersion.store.ts';
import { commit, type Revision } from '../../platform/shared/aws/document.store.ts';
import { CONFLICT, retryOnConflict } from '../../platform/shared/retry/retryOnConflict.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { IsRaised } from './recordSubscription.ts';

/** Optimistic lock: in each round at least one writer succeeds, so 12 concurrent writers of a record finish. */
const MAX_ATTEMPTS = 12;
/** An attempt that takes longer from the start of its version is repeated, so that versions are written soon after they start. */
const MAX_WRITE_MS = 1_000;

export type RevisionOutcome = 'revised' | 'unchanged' | 'missing';

/**
 * Returns the next version of a record; null when nothing changes. It is valid from `startsAt()` (epoch milliseconds), which a
 * decision asks for after what it reads, so that slow reads do not delay the write of a version that has started.
 */
export type Decide = (
  current: Attribution,
  startsAt: () => number,
) => Promise<Attribution | null> | Attribution | null;

/**
 * Writes the next version of a record under an optimistic lock. After a write conflict, `decide` runs again with the
 * newer version. Throws after 12 attempts.
 */
export const reviser =
  (ledger: RecordVersionStore, clock: () => number, isRaised: IsRaised) =>
  async (
    tenant: Pick<Tenant, 'tenant_id' | 'tag'>,
    ulid: string,
    by: Revision,
    decide: Decide,
  ): Promise<RevisionOutcome> => {
    const key = { partition: recordPartitionOf(tenant, ulid), ulid };
    const reviseOnce = async (): Promise<RevisionOutcome | typeof CONFLICT> => {
      const found = await ledger.find(tenant.tenant_id, key);
      if (found === null) return 'missing';
      const { attribution, validity } = found.newest;
      // A version starts after the one it replaces, even when the clocks of the writers differ.
      const next = await decide(attribution, () => Math.max(clock(), validity.from + 1));
      if (next === null) return 'unchanged';
      const item = { pk: key.partition, sk: versionKeyOf(ulid, next.record.version) };
      const [raises] = await Promise.all([isRaised(item, next), ledger.announce(key, next)]);
      if (clock() - Date.parse(next.record.as_of) > MAX_WRITE_MS) return CONFLICT;
      return (await commit(ledger.appendVersion(key, found, next, by, raises))) ? 'revised' : CONFLICT;
    };
    return retryOnConflict(reviseOnce, { maxAttempts: MAX_ATTEMPTS, subject: `record ${ulid}` });
  };
export type Revise = ReturnType<typeof reviser>;
