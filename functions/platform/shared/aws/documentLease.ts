import type { Lease } from '../../../../schemas/platform/lease.ts';
import { CONFLICT, retryOnConflict } from '../retry/retryOnConflict.ts';
import { isHeld } from '../time/lease.ts';
import { commit, type Revision, type Versioned, type Write } from './document.store.ts';

/** The holder of a lease, one that lost it, and calls that change the document. */
const MAX_ATTEMPTS = 12;

/** A document that holds a lease on itself. */
export interface LeasedDocument<Document> {
  readonly read: () => Promise<Versioned<Document> | null>;
  /** The write fails when the document has changed since `expected`. */
  readonly replace: (document: Document, expected: Revision, by: Revision) => Write;
  readonly leaseIn: (document: Document) => Lease | null;
  readonly withLease: (document: Document, lease: Lease | null) => Document;
  /** How long a lease lasts that its holder neither renews nor releases, in milliseconds. */
  readonly lifetime: number;
  /** Returns a unique name for a holder or a write. */
  readonly newClaim: () => string;
  /** What the document is, for the error message. */
  readonly subject: string;
}

export interface HeldDocument<Document> {
  /** As it is after the lease was taken. */
  readonly document: Document;
  /**
   * Changes the document, and renews the lease at `now` (epoch milliseconds) unless `change` removes it. Returns the new
   * document; null if somebody else has taken the lease, or if the document or its lease was deleted. `others` are committed
   * in the same transaction.
   */
  readonly update: (
    now: number,
    change?: (document: Document) => Document,
    others?: readonly Write[],
  ) => Promise<Document | null>;
}

/**
 * Takes the lease of a document at `now` (epoch milliseconds), if nobody holds it. `begin` decides and changes the document
 * first; null takes no lease. A change and its lease are one write, so a holder that was replaced changes nothing.
 */
export const takeDocumentLease = async <Document>(
  leased: LeasedDocument<Document>,
  now: number,
  begin: (document: Document) => Document | null,
): Promise<HeldDocument<Document> | null> => {
  const { read, replace, leaseIn, withLease, lifetime, newClaim, subject } = leased;
  const holder = newClaim();

  const change = (
    decide: (document: Document) => Document | null,
    others: readonly Write[] = [],
  ): Promise<Document | null> => {
    const by = { claim: newClaim(), attempt: 1 };
    return retryOnConflict<Document | null>(
      async () => {
        const stored = await read();
        // The SDK repeats a write whose response was lost, and the repeated write then conflicts with the first.
        if (stored?.revision.claim === by.claim) return stored.document;
        const next = stored === null ? null : decide(stored.document);
        if (stored === null || next === null) return null;
        return (await commit([replace(next, stored.revision, by), ...others])) ? next : CONFLICT;
      },
      { maxAttempts: MAX_ATTEMPTS, subject },
    );
  };

  const document = await change((stored) => {
    const begun = isHeld(leaseIn(stored), lifetime, now) ? null : begin(stored);
    return begun && withLease(begun, { holder, until: now + lifetime });
  });
  return (
    document && {
      document,
      update: (at, alter = (current) => current, others) =>
        change(
          (stored) =>
            leaseIn(stored)?.holder === holder
              ? alter(withLease(stored, { holder, until: at + lifetime }))
              : null,
          others,
        ),
    }
  );
};
