import { commit } from '../../../platform/shared/aws/document.store.ts';
import { CONFLICT, retryOnConflict } from '../../../platform/shared/retry/retryOnConflict.ts';
import type { ImportedSources } from './billSource.store.ts';
import type { ImportState, StoredBillSource } from './billSource.ts';
import { isDue, LEASE_MS, withInterruption } from './importSchedule.ts';

/** Writers of one source: its run, one that lost its lease, and calls that change its settings. */
const MAX_ATTEMPTS = 8;

interface LeaseDeps {
  readonly sources: Pick<ImportedSources, 'versioned' | 'replace'>;
  /** A unique name for each lease and each write. */
  readonly newClaim: () => string;
}

/** The right of one run to import a source. Every call first checks that the run still has it. */
export interface SourceLease {
  readonly source: StoredBillSource;
  /**
   * Changes the state of the imports and renews the lease at `now` (epoch milliseconds). Returns the new state; null if the
   * lease has expired and was taken by another run, or the source was changed, paused or deleted.
   */
  readonly update: (
    now: number,
    change?: (imports: ImportState) => ImportState,
  ) => Promise<ImportState | null>;
}

/** Takes the lease of a source at `now`. Null if the source is not due any more, or another run has the lease. */
export const takeLease = async (
  { sources, newClaim }: LeaseDeps,
  tenantId: string,
  id: string,
  now: number,
): Promise<SourceLease | null> => {
  const holder = newClaim();

  const updateIf = (
    isAllowed: (source: StoredBillSource) => boolean,
    change: (source: StoredBillSource) => ImportState,
  ): Promise<StoredBillSource | null> =>
    retryOnConflict<StoredBillSource | null>(
      async () => {
        const stored = await sources.versioned(tenantId, id);
        if (stored === null || !isAllowed(stored.document)) return null;
        const next = { ...stored.document, imports: change(stored.document) };
        const by = { claim: newClaim(), attempt: 1 };
        const write = sources.replace(tenantId, next, stored.revision, by);
        return (await commit([write])) ? next : CONFLICT;
      },
      { maxAttempts: MAX_ATTEMPTS, subject: 'a bill source' },
    );

  const source = await updateIf(
    (stored) => isDue(stored, now),
    // A run before that stopped without an end is counted before this one begins, because it may stop in the same way.
    (stored) => ({ ...withInterruption(stored, now).imports, lease: { holder, until: now + LEASE_MS } }),
  );
  if (source === null) return null;
  return {
    source,
    update: async (at, change = (imports) => imports) => {
      const updated = await updateIf(
        ({ imports }) => imports.lease?.holder === holder,
        ({ imports }) => change({ ...imports, lease: { holder, until: at + LEASE_MS } }),
      );
      return updated?.imports ?? null;
    },
  };
};
