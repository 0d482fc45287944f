import { CONFLICT, retryOnConflict } from '../../../platform/shared/retry/retryOnConflict.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { CountedRollup } from '../rollup.ts';
import type { RollupUnit } from '../rollupItem.ts';
import type { RollupWriter } from '../rollupWriter.store.ts';

/** Optimistic lock: each round at least one writer succeeds, so this many concurrent writers of one rollup all finish. */
const MAX_ATTEMPTS = 40;

/** The sum of a unit, without what names it. */
type Sum = Pick<CountedRollup, 'asOf' | 'content' | 'groups'> & { readonly tags?: readonly string[] };

export interface RollupPutterStores {
  readonly rollups: Pick<RollupWriter, 'readRevision' | 'put'>;
  /** Backoff after a write conflict. `attempt` starts at 1. */
  readonly pause?: (attempt: number) => Promise<unknown>;
}

/**
 * Returns a function that stores the sum of a unit. It reads the revision first and then calls `sum`, again after each write
 * of another writer, so a sum never lacks what its last writer could read. Throws after too many conflicts.
 */
export const rollupPutter =
  ({ rollups, pause }: RollupPutterStores) =>
  (tenantId: string, unit: RollupUnit, sum: () => Promise<Sum>): Promise<void> => {
    const putOnce = async (): Promise<undefined | typeof CONFLICT> => {
      const expectedRevision = await rollups.readRevision(tenantId, unit.grain, unit.start, unit.shard);
      return (await rollups.put(tenantId, { ...unit, ...(await sum()) }, expectedRevision))
        ? undefined
        : CONFLICT;
    };
    const subject = `the ${unit.grain} rollup of ${toIso(unit.start)}`;
    return retryOnConflict(putOnce, { maxAttempts: MAX_ATTEMPTS, subject, ...(pause && { pause }) });
  };
export type PutRollup = ReturnType<typeof rollupPutter>;
