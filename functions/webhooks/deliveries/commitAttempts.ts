import type { Outbox } from '../../events/outbox.store.ts';
import { commitOrConflict } from '../../shared/aws/commitOrConflict.ts';
import {
  BACKGROUND_TIMEOUT_MS,
  commit,
  type Revision,
  type Versioned,
  type Write,
} from '../../shared/aws/document.store.ts';
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

/** Of changes of one endpoint at the same moment one gets through each time, so this many do. */
const MAX_ATTEMPTS = 20;

/** An attempt that has been made; times in epoch milliseconds. */
export interface CompletedAttempt {
  readonly deliveryKey: DeliveryKey;
  readonly entry: StoredEntry;
  /** The delivery as it was before. */
  readonly found: Versioned<Delivery>;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: DeliveryOutcome;
  readonly next: RetryDecision;
  readonly by: Revision;
}

/**
 * Commits what follows from attempts at one endpoint: entry in the log, delivery, and where the endpoint stands if that
 * changed. Those that end while others are committed are committed together. Their standings are told one after the
 * other, so that attempts of one batch do not contend for it. Throws what the SDK throws when the tables cannot answer.
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
): ((ended: CompletedAttempt) => Promise<void>) => {
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

  const commitOne = async (ended: CompletedAttempt): Promise<void> => {
    for (let tried = 0; tried < MAX_ATTEMPTS; tried += 1) {
      const moved = changedEndpoint(ended);
      const standing: Write[] =
        endpoint === null || moved === null
          ? []
          : [endpoints.replace(tenantId, moved, endpoint.revision, ended.by)];
      const event = moved === null ? null : createDisabledEvent(moved, tenantId, ended.endedAt);
      const raised = event === null ? [] : [outbox.raise(event)];
      if (
        await commit([toLogWrite(ended), toDeliveryWrite(ended), ...standing, ...raised], {
          within: BACKGROUND_TIMEOUT_MS,
        })
      ) {
        if (moved !== null) endpoint = { document: moved, revision: ended.by };
        return;
      }
      const current = await streams.delivery(ended.deliveryKey);
      if (current?.revision.claim !== ended.found.revision.claim) {
        // Somebody else made the same attempt, after a lease ran out: what follows from it is theirs to say.
        await commit([toLogWrite(ended)]);
        return;
      }
      endpoint = await endpoints.versioned(tenantId, endpointId);
    }
    throw new Error('an endpoint was changed by others too often');
  };

  /**
   * Whether all were committed, which leave the endpoint where it stands. Where they met somebody else each is looked at by
   * itself; where the tables do not answer, none is.
   */
  const commitTogether = (ended: readonly CompletedAttempt[]): Promise<boolean> =>
    commitOrConflict(
      ended.flatMap((one) => [toLogWrite(one), toDeliveryWrite(one)]),
      { within: BACKGROUND_TIMEOUT_MS },
    );

  const commitBatch = singleFlightBatch(async (ended: NonEmptyBatch<CompletedAttempt>): Promise<void> => {
    const unchanged = ended.filter((one) => changedEndpoint(one) === null);
    const changing = ended.filter((one) => !unchanged.includes(one));
    const remaining =
      unchanged.length > 1 && (await commitTogether(unchanged)) ? changing : [...changing, ...unchanged];
    const failures: unknown[] = [];
    for (const one of remaining) await commitOne(one).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  });
  return (ended) => commitBatch(endpointId, ended);
};
