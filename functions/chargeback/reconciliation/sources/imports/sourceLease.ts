import { type HeldDocument, takeDocumentLease } from '../../../../platform/shared/aws/documentLease.ts';
import type { ImportedSources } from '../billSource.store.ts';
import type { ImportState, StoredBillSource } from '../billSource.ts';
import { isDue, LEASE_MS, withInterruption } from '../importSchedule.ts';

interface LeaseDeps {
  readonly sources: Pick<ImportedSources, 'versioned' | 'replace'>;
  /** A unique name for each lease and each write. */
  readonly newClaim: () => string;
}

/** The right of one run to import a source. Every call first checks that the run still has it. */
export interface SourceLease {
  readonly source: StoredBillSource;
  /**
   * Changes the state of the imports and renews the lease at `now` (epoch milliseconds). Returns null if the lease has
   * expired and was taken by another run, or the source was changed, paused or deleted.
   */
  readonly update: (
    now: number,
    change?: (imports: ImportState) => ImportState,
  ) => ReturnType<HeldDocument<StoredBillSource>['update']>;
}

/** Takes the lease of a source at `now`. Null if the source is not due any more, or another run has the lease. */
export const takeLease = async (
  { sources, newClaim }: LeaseDeps,
  tenantId: string,
  id: string,
  now: number,
): Promise<SourceLease | null> => {
  const held = await takeDocumentLease<StoredBillSource>(
    {
      read: () => sources.versioned(tenantId, id),
      replace: (...write) => sources.replace(tenantId, ...write),
      leaseIn: ({ imports }) => imports.lease,
      withLease: (source, lease) => ({ ...source, imports: { ...source.imports, lease } }),
      lifetime: LEASE_MS,
      newClaim,
      subject: 'a bill source',
    },
    now,
    // A run before that stopped without an end is counted before this one begins, because it may stop in the same way.
    (stored) => (isDue(stored, now) ? withInterruption(stored, now) : null),
  );
  return (
    held && {
      source: held.document,
      update: (at, change = (imports) => imports) =>
        held.update(at, (source) => ({ ...source, imports: change(source.imports) })),
    }
  );
};
