import { appendFileSync } from 'node:fs';

/** The action that makes the cost of a call count that was set aside. */
export const CONFIRMATION = 'attribution.confirm_cost';

/** A call as it was accepted. It does not come from the service, so the service can be compared with it. */
export interface ExpectedCall {
  readonly eventId: string;
  /** In units of 10⁻⁷ USD. */
  readonly cost: bigint;
  /** Whether nobody believes the cost until somebody confirms it. */
  readonly isSetAside?: true;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A change that was acknowledged, and what is true because of it until the next one of the same thing. */
export interface AcknowledgedChange {
  readonly kind: string;
  /** The action of its entry in the audit log. */
  readonly action: string;
  /** The id of what was created or changed. */
  readonly id: string;
  /** A name that nothing else has. */
  readonly name: string;
  /** Members with which it is listed. Null: it is deleted. */
  readonly members: Readonly<Record<string, unknown>> | null;
}

/**
 * What one tenant has sent, by outcome. A request without any response until the end is uncertain: its events are present or
 * absent, and never there twice.
 */
export interface Journal {
  readonly accepted: Map<string, ExpectedCall>;
  readonly uncertain: Map<string, ExpectedCall>;
  readonly changes: AcknowledgedChange[];
  /** Ids of what a request without a response may have changed. */
  readonly unsure: Set<string>;
  readonly acceptCalls: (calls: readonly ExpectedCall[]) => void;
  readonly acceptChange: (change: AcknowledgedChange) => void;
}

/** Also appends each entry to a file, as JSON lines: it is what remains of a run that fails. */
export const openJournal = (file: string): Journal => {
  const write = (entry: unknown): void =>
    appendFileSync(
      file,
      `${JSON.stringify(entry, (_, value) => (typeof value === 'bigint' ? String(value) : value))}\n`,
    );
  const journal: Journal = {
    accepted: new Map(),
    uncertain: new Map(),
    changes: [],
    unsure: new Set(),
    acceptCalls: (calls) => {
      for (const call of calls) {
        journal.accepted.set(call.eventId, call);
        journal.uncertain.delete(call.eventId);
        write(call);
      }
    },
    acceptChange: (change) => {
      journal.changes.push(change);
      write(change);
    },
  };
  return journal;
};
