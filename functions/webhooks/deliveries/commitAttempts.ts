import type { Outbox } from '../../events/outbox.store.ts';
import { commitOrConflict } from '../../shared/aws/commitOrConflict.ts';
import {
  BACKGROUND_TIMEOUT_MS,
  commit,
  type Revision,
  type Versioned,
  type Write,
} from '../../shared/aws/document.store.ts';
import { CONFLICT, retryOnConflict } from '../../shared/retry/retryOnConflict.ts';
import { type NonEmptyBatch, singleFlightBatch } from '../../shared/singleFlightBatch.ts';
import type { EndpointStateStore, StoredEndpoint } from '../endpoints/endpoint.store.ts';
import type { StoredEntry, StreamStore } from '../streams/stream.store.ts';
import {
  createDisabledEvent,
  type DeliveryOutcome,
  endpointAfter,
  toDeliveryAttempt,
} from './attemptOutcome.ts';
import { advanceDelivery, type Delivery } from './delivery.ts';
import type { DeliveryKey, StreamKey } from './deliveryKey.ts';
import type { DeliveryLog } from './deliveryLog.store.ts';
import type { RetryDecision } from './retrySchedule.ts';

/** Optimistic lock: each round at least one writer of an endpoint succeeds, so this many concurrent writers all succeed. */
const MAX_ATTEMPTS = 20;

/** A completed attempt. Times are epoch milliseconds. */
export interface CompletedAttempt {
  readonly deliveryKey: DeliveryKey;
  readonly entry: StoredEntry;
  /** The delivery before the attempt. */
  readonly found: Versioned<Delivery>;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: DeliveryOutcome;
  readonly next: RetryDecision;
  readonly by: Revision;
}

/**
 * Returns a function that commits the results of attempts at one endpoint: the log entry, the delivery, and the endpoint
 * if its state changed. Attempts that complete while a commit is in progress are committed together. Changes of the
 * endpoint's state are committed one after the other, so that the attempts of a batch do not conflict. Throws the SDK's
 * error when a table does not answer.
 */
export const attemptCommitter = (
  stores: {
    readonly streams: Pick<StreamStore, 'delivery' | 'save'>;
    readonly endpoints: Pick<EndpointStateStore, 'versioned' | 'replace'>;
    readonly log: DeliveryLog;
    readonly outbox: Outbox;
  },
  { tenantId, endpointId }: StreamKey,
  found: Versioned<StoredEndpoint>,
): ((completed: CompletedAttempt) => Promise<void>) => {
  const { streams, endpoints, log, outbox } = stores;
  let endpoint: Versioned<StoredEndpoint> | null = found;

  const toLogWrite = ({ entry, outcome, found, startedAt, next, by }: CompletedAttempt): Write =>
    log.append(
      tenantId,
      toDeliveryAttempt(entry, outcome, {
        attempt: found.document.attempts + 1,
        startedAt,
        next,
        by: by.claim,
      }),
    );
  const toDeliveryWrite = ({ deliveryKey, found, next, startedAt, by }: CompletedAttempt): Write =>
    streams.save(deliveryKey, advanceDelivery(found.document, next, startedAt), found.revision, by);
  const changedEndpoint = ({
    entry,
    outcome,
    next,
    endedAt: now,
  }: CompletedAttempt): StoredEndpoint | null =>
    endpoint === null ? null : endpointAfter(endpoint.document, entry, { outcome, next, now });

  const commitOne = async (completed: CompletedAttempt): Promise<void> => {
    const commitOnce = async (): Promise<undefined | typeof CONFLICT> => {
      const changed = changedEndpoint(completed);
      const endpointWrites: Write[] =
        endpoint === null || changed === null
          ? []
          : [endpoints.replace(tenantId, changed, endpoint.revision, completed.by)];
      const event = changed === null ? null : createDisabledEvent(changed, tenantId, completed.endedAt);
      const outboxWrites = event === null ? [] : [outbox.raise(event)];
      if (
        await commit(
          [toLogWrite(completed), toDeliveryWrite(completed), ...endpointWrites, ...outboxWrites],
          {
            within: BACKGROUND_TIMEOUT_MS,
          },
        )
      ) {
        if (changed !== null) endpoint = { document: changed, revision: completed.by };
        return undefined;
      }
      const current = await streams.delivery(completed.deliveryKey);
      if (current?.revision.claim !== completed.found.revision.claim) {
        // The lease expired and another process made the same attempt. Its result counts, so only the call is logged.
        await commit([toLogWrite(completed)]);
        return undefined;
      }
      endpoint = await endpoints.versioned(tenantId, endpointId);
      return CONFLICT;
    };
    await retryOnConflict(commitOnce, { maxAttempts: MAX_ATTEMPTS, subject: `endpoint ${endpointId}` });
  };

  /**
   * Commits attempts that do not change the endpoint in one transaction. Returns false on a conflict with another writer:
   * then each attempt is committed separately. Throws when the tables do not answer.
   */
  const commitTogether = (completed: readonly CompletedAttempt[]): Promise<boolean> =>
    commitOrConflict(
      completed.flatMap((one) => [toLogWrite(one), toDeliveryWrite(one)]),
      { within: BACKGROUND_TIMEOUT_MS },
    );

  const commitBatch = singleFlightBatch(async (completed: NonEmptyBatch<CompletedAttempt>): Promise<void> => {
    const unchanged = completed.filter((one) => changedEndpoint(one) === null);
    const changing = completed.filter((one) => !unchanged.includes(one));
    const remaining =
      unchanged.length > 1 && (await commitTogether(unchanged)) ? changing : [...changing, ...unchanged];
    const failures: unknown[] = [];
    for (const one of remaining) await commitOne(one).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  });
  return (completed) => commitBatch(endpointId, completed);
};
