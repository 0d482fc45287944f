import type { RaisedEvent } from '../../../../schemas/delivery/events.ts';
import type { EntryKind } from '../../../../schemas/delivery/webhooks.ts';
import { commitOrConflict } from '../../../platform/shared/aws/commitOrConflict.ts';
import type { DelayedQueue } from '../../../platform/shared/aws/delayedQueue.aws.ts';
import { BACKGROUND_TIMEOUT_MS, type Revision } from '../../../platform/shared/aws/document.store.ts';
import { chunksWithin } from '../../../platform/shared/chunksWithin.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { CONFLICT, retryOnConflict } from '../../../platform/shared/retry/retryOnConflict.ts';
import { ThrottledError } from '../../../platform/shared/retry/throttledError.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { type Delivery, newDelivery } from '../deliveries/delivery.ts';
import type { DeliveryKey } from '../deliveries/deliveryKey.ts';
import type { DeliveryMessage } from '../deliveries/deliveryMessage.ts';
import { dueMessages, type KeyedDelivery } from '../deliveries/dueMessages.ts';
import type { StoredEndpoint } from '../endpoints/endpoint.store.ts';
import { serializeEnvelope } from './envelope.ts';
import type { StoredEntry, StreamStore } from './stream.store.ts';
import { appendToStream, emptyStream, type SequencedEvent } from './stream.ts';

/** Optimistic lock: each round at least one writer of a stream succeeds, so this many concurrent writers all succeed. */
const MAX_ATTEMPTS = 60;
/** A DynamoDB transaction takes 100 writes: one for the stream head, and two for each event. */
const EVENTS_MAXIMUM = 40;
/** The most characters of event JSON in a transaction. DynamoDB limits a transaction to 4 MB. */
const CHARACTERS_MAXIMUM = 1_000_000;

export interface PublishOptions {
  readonly kind: EntryKind;
  /** The id of a replay request. A replayed event is appended once for each request, with a new sequence number. */
  readonly replay?: string;
}

/** The endpoint that events are published to. */
export type PublishTarget = Pick<StoredEndpoint, 'id' | 'max_batch_size'>;

/**
 * Appends events to the stream of an endpoint, in order, and requests their delivery. Idempotent: an event with a known
 * dedup key keeps its sequence number, and its next attempt is requested again. So a caller that crashed must repeat the call.
 * Returns the sequence number of each event. Throws the SDK's error when a table or the queue does not answer, and an Error
 * after too many write conflicts. Some of the events may have been appended by then.
 */
export interface Publisher {
  readonly publishTo: (
    endpoint: PublishTarget,
    events: readonly RaisedEvent[],
    options: PublishOptions,
  ) => Promise<readonly SequencedEvent[]>;
}

/** A delivery of an event, as it is stored. */
interface PublishedDelivery extends KeyedDelivery {
  readonly event: RaisedEvent;
}

/** The key by which an entry is unique in its stream: the ULID of the event, and the replay request if there is one. */
export const dedupKeyOf = (
  event: Pick<RaisedEvent, 'id'>,
  { replay }: Pick<PublishOptions, 'replay'>,
): string => (replay === undefined ? ulidInId(event.id) : `${ulidInId(event.id)}#${replay}`);

/** Splits events, in order, into chunks that each fit in one transaction. */
export const chunksOf = (events: readonly RaisedEvent[]): RaisedEvent[][] =>
  chunksWithin(
    events,
    { items: EVENTS_MAXIMUM, size: CHARACTERS_MAXIMUM },
    (event) => JSON.stringify(event).length,
  );

/** How an entry may share a request. Undefined when it is sent in a request of its own, as a challenge always is. */
const batchOf = ({ max_batch_size: size }: PublishTarget, entry: StoredEntry): Delivery['batch'] =>
  size === 1 || entry.kind === 'verification'
    ? undefined
    : { size, bytes: serializeEnvelope(entry.event, entry).length };

export const publisher = (deps: {
  readonly streams: StreamStore;
  /** The queue of delivery messages. */
  readonly queue: DelayedQueue<DeliveryMessage>;
  readonly clock: Clock;
  /** Returns a unique name for the writer. */
  readonly newClaim: () => string;
  /** Waits after a write conflict. `attempt` counts from 1. */
  readonly pause?: (attempt: number) => Promise<unknown>;
}): Publisher => {
  const { streams, queue, clock, newClaim, pause } = deps;

  const publishChunk = async (
    target: PublishTarget,
    events: readonly RaisedEvent[],
    options: PublishOptions,
  ): Promise<readonly SequencedEvent[]> => {
    const endpointId = target.id;
    const byId = new Map(events.map((event) => [event.id, event]));
    const deliveryKeyOf = (event: RaisedEvent): DeliveryKey => ({
      tenantId: event.tenant_id,
      endpointId,
      dedupKey: dedupKeyOf(event, options),
    });
    const [first] = events;
    if (first === undefined) return [];
    const stream = { tenantId: first.tenant_id, endpointId };

    const appendOnce = async (attempt: number): Promise<readonly PublishedDelivery[] | typeof CONFLICT> => {
      // The head is read first. If another writer appends after this read, the conditional write of the head fails.
      const head = await streams.head(stream);
      const unique = [...byId.values()];
      const stored = await streams.deliveries(unique.map(deliveryKeyOf));
      const appended = unique.flatMap((event, index) => {
        const delivery = stored[index]?.document;
        return delivery === undefined ? [] : [{ event, deliveryKey: deliveryKeyOf(event), delivery }];
      });
      const change = appendToStream(
        head?.document ?? emptyStream,
        events.map(({ id }) => id),
        new Set(appended.map(({ event }) => event.id)),
      );
      if (change.entries.length === 0) return appended;

      const by: Revision = { claim: newClaim(), attempt };
      const at = clock();
      const added = change.entries.map(({ eventId, sequence }) => {
        const event = byId.get(eventId);
        if (event === undefined) throw new Error(`event ${eventId} was not in the chunk`);
        const entry = {
          endpoint_id: endpointId,
          sequence,
          kind: options.kind,
          event,
          entered_at: toIso(at),
          replayed: options.replay !== undefined,
        };
        const delivery = newDelivery(sequence, at, batchOf(target, entry));
        return { event, deliveryKey: deliveryKeyOf(event), delivery, entry };
      });
      const isCommitted = await commitOrConflict(
        [
          streams.putHead(stream, change.stream, head?.revision ?? null, by),
          ...added.flatMap(({ deliveryKey, entry, delivery }) =>
            streams.append(deliveryKey, entry, delivery, by),
          ),
        ],
        events.length === 1 ? { within: BACKGROUND_TIMEOUT_MS } : {},
      );
      return isCommitted ? [...appended, ...added] : CONFLICT;
    };
    const subject = `the stream of endpoint ${endpointId}`;
    const entries = await retryOnConflict(appendOnce, {
      maxAttempts: MAX_ATTEMPTS,
      subject,
      ...(pause && { pause }),
    });
    await queue.send(dueMessages(entries, clock()));
    return entries.map(({ event, delivery }) => ({ eventId: event.id, sequence: delivery.sequence }));
  };

  /**
   * Appends a chunk, or its halves if the table has no capacity for it. All items of a transaction must be accepted at once,
   * so a large one may never be, while small ones are. Each half that was appended is progress, also if the other one fails.
   */
  const publishInHalves = async (
    target: PublishTarget,
    events: readonly RaisedEvent[],
    options: PublishOptions,
  ): Promise<readonly SequencedEvent[]> => {
    try {
      return await publishChunk(target, events, options);
    } catch (error) {
      if (!(error instanceof ThrottledError) || events.length === 1) throw error;
      const middle = Math.ceil(events.length / 2);
      return [
        ...(await publishInHalves(target, events.slice(0, middle), options)),
        ...(await publishInHalves(target, events.slice(middle), options)),
      ];
    }
  };

  return {
    publishTo: async (endpoint, events, options) => {
      const entries: SequencedEvent[] = [];
      for (const chunk of chunksOf(events))
        entries.push(...(await publishInHalves(endpoint, chunk, options)));
      return entries;
    },
  };
};
