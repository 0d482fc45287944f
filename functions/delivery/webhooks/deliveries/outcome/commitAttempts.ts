import type { RaisedEvent } from '../../../../../schemas/delivery/events.ts';
import type { Outbox } from '../../../../platform/outbox/outbox.store.ts';
import { commitOrConflict } from '../../../../platform/shared/aws/commitOrConflict.ts';
import {
  BACKGROUND_TIMEOUT_MS,
  commit,
  type Revision,
  type Versioned,
  type Write,
} from '../../../../platform/shared/aws/document.store.ts';
import {
  type NonEmptyBatch,
  singleFlightBatch,
} from '../../../../platform/shared/caches/singleFlightBatch.ts';
import { CONFLICT, retryOnConflict } from '../../../../platform/shared/retry/retryOnConflict.ts';
import type { EndpointStateStore, StoredEndpoint } from '../../endpoints/endpoint.store.ts';
import type { StoredEntry, StreamStore } from '../../streams/stream.store.ts';
import { advanceDelivery, type Delivery } from '../delivery.ts';
import type { DeliveryKey, StreamKey } from '../deliveryKey.ts';
import type { DeliveryLog } from '../deliveryLog.store.ts';
import type { RetryDecision } from '../retrySchedule.ts';
import {
  createDisabledEvent,
  type DeliveryOutcome,
  endpointAfter,
  isSameState,
  toDeliveryAttempt,
} from './attemptOutcome.ts';
import { commitInParts } from './commitInParts.ts';

/** Optimistic lock: each round at least one writer of an endpoint succeeds, so this many concurrent writers all succeed. */
const MAX_ATTEMPTS = 20;
/** A DynamoDB transaction takes 100 writes: two for each attempt, one for the endpoint, and one for its event. */
const ATTEMPTS_MAXIMUM = 49;

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
  /** Whether later attempts have a request of their own. */
  readonly isIsolated: boolean;
  /** Present when the request was a list of events. */
  readonly requestId: string | undefined;
  readonly by: Revision;
}

/** The delivery after its attempt. */
export const deliveryAfter = ({ found, next, startedAt: at, isIsolated }: CompletedAttempt): Delivery =>
  advanceDelivery(found.document, next, { at, isIsolated });

/** How attempts change their endpoint, and the event that this raises. */
interface EndpointChange {
  readonly endpoint: StoredEndpoint;
  readonly event: RaisedEvent | null;
}

/**
 * Returns a function that commits the results of attempts at one endpoint: the log entries, the deliveries, and the endpoint
 * if its state changed. Attempts that complete while a commit is in progress are committed together, one transaction after
 * the other, so that the attempts of a batch do not conflict. Throws the SDK's error when a table does not answer.
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
): ((completed: readonly CompletedAttempt[]) => Promise<void>) => {
  const { streams, endpoints, log, outbox } = stores;
  let endpoint: Versioned<StoredEndpoint> | null = found;

  const toLogWrite = ({ entry, outcome, found, startedAt, next, by, requestId }: CompletedAttempt): Write =>
    log.append(
      tenantId,
      toDeliveryAttempt(entry, outcome, {
        attempt: found.document.attempts + 1,
        startedAt,
        next,
        requestId,
        by: by.claim,
      }),
    );
  const toDeliveryWrite = (completed: CompletedAttempt): Write =>
    streams.save(completed.deliveryKey, deliveryAfter(completed), completed.found.revision, completed.by);
  /** The change that attempts make to the endpoint, in their order. Null when there is none. */
  const changeBy = (
    before: StoredEndpoint,
    completed: readonly CompletedAttempt[],
  ): EndpointChange | null => {
    const change = completed.reduce<EndpointChange>(
      (current, { entry, outcome, next, endedAt: now }) => {
        const changed = endpointAfter(current.endpoint, entry, { outcome, next, now });
        if (changed === null) return current;
        return { endpoint: changed, event: current.event ?? createDisabledEvent(changed, tenantId, now) };
      },
      { endpoint: before, event: null },
    );
    return isSameState(change.endpoint.state, before.state) ? null : change;
  };
  const toEndpointWrites = (
    { endpoint: changed, event }: EndpointChange,
    expected: Revision,
    by: Revision,
  ): Write[] => [
    endpoints.replace(tenantId, changed, expected, by),
    ...(event === null ? [] : [outbox.raise(event)]),
  ];

  /** Commits attempts in one transaction. Returns false on a conflict with another writer. */
  const commitTogether = async (completed: NonEmptyBatch<CompletedAttempt>): Promise<boolean> => {
    const [{ by }] = completed;
    const change = endpoint === null ? null : changeBy(endpoint.document, completed);
    const endpointWrites =
      endpoint === null || change === null ? [] : toEndpointWrites(change, endpoint.revision, by);
    const isCommitted = await commitOrConflict(
      [...completed.flatMap((one) => [toLogWrite(one), toDeliveryWrite(one)]), ...endpointWrites],
      completed.length === 1 ? { within: BACKGROUND_TIMEOUT_MS } : {},
    );
    if (isCommitted && change !== null) endpoint = { document: change.endpoint, revision: by };
    return isCommitted;
  };

  const commitAlone = async (completed: CompletedAttempt): Promise<void> => {
    const commitOnce = async (): Promise<undefined | typeof CONFLICT> => {
      if (await commitTogether([completed])) return undefined;
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

  const commitBatch = singleFlightBatch((batches: NonEmptyBatch<readonly CompletedAttempt[]>) =>
    commitInParts(batches.flat(), {
      maximum: ATTEMPTS_MAXIMUM,
      together: commitTogether,
      alone: commitAlone,
    }),
  );
  return (completed) => commitBatch(endpointId, completed);
};
