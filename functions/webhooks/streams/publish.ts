import type { RaisedEvent } from '../../../schemas/events.ts';
import type { EntryKind } from '../../../schemas/webhooks.ts';
import { commitOrConflict } from '../../shared/aws/commitOrConflict.ts';
import { BACKGROUND_TIMEOUT_MS, type Revision, type Write } from '../../shared/aws/document.store.ts';
import type { Clock } from '../../shared/clock.ts';
import { ulidInId } from '../../shared/ids.ts';
import { newDelivery } from '../deliveries/delivery.ts';
import type { DeliveryKey } from '../deliveries/deliveryKey.ts';
import type { StoredEndpoint } from '../endpoints/endpoint.store.ts';
import type { StreamStore } from './stream.store.ts';
import { appendToStream, emptyStream, type SequencedEvent } from './stream.ts';

/** Of writers of one stream at the same moment one gets through each time, so this many do. */
const MAX_ATTEMPTS = 60;
/** A transaction takes 100 writes: the head, and two an event. */
const EVENTS_MAXIMUM = 40;
/** Characters of the events of a transaction, which takes 4 MB. */
const CHARACTERS_MAXIMUM = 1_000_000;

export interface PublishOptions {
  readonly kind: EntryKind;
  /** What asked for events that were there before, by its id: it has each enter once, under a sequence of its own. */
  readonly replay?: string;
}

/**
 * Has events enter the stream of an endpoint, in their order, each once however often this is called: what is known by
 * its cause keeps its sequence. What has entered is delivered, whatever happens to the caller. Throws what the SDK
 * throws when the tables cannot answer; then some of the events may have entered.
 */
export interface Publisher {
  readonly publishTo: (
    endpoint: Pick<StoredEndpoint, 'id'>,
    events: readonly RaisedEvent[],
    how: PublishOptions,
  ) => Promise<readonly SequencedEvent[]>;
}

/** What an entry is known by in its stream. */
export const dedupKeyOf = (
  event: Pick<RaisedEvent, 'id'>,
  { replay }: Pick<PublishOptions, 'replay'>,
): string => (replay === undefined ? ulidInId(event.id) : `${ulidInId(event.id)}#${replay}`);

/** Events in the same order, in groups that fit in a transaction each. */
export const chunksOf = (events: readonly RaisedEvent[]): RaisedEvent[][] => {
  const chunks: RaisedEvent[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const { length } = JSON.stringify(event);
    const last = chunks.at(-1);
    if (last === undefined || last.length === EVENTS_MAXIMUM || characters + length > CHARACTERS_MAXIMUM) {
      chunks.push([event]);
      characters = length;
    } else {
      last.push(event);
      characters += length;
    }
  }
  return chunks;
};

export const publisher = (deps: {
  readonly streams: StreamStore;
  readonly clock: Clock;
  /** Names whoever writes, uniquely. */
  readonly newClaim: () => string;
  /** Waits after a try that came second; the first is the 1st. */
  readonly pause?: (attempt: number) => Promise<unknown>;
}): Publisher => {
  const { streams, clock, newClaim, pause = async () => undefined } = deps;

  const publishChunk = async (
    endpointId: string,
    events: readonly RaisedEvent[],
    how: PublishOptions,
  ): Promise<readonly SequencedEvent[]> => {
    const byId = new Map(events.map((event) => [event.id, event]));
    const placeOf = (event: RaisedEvent): DeliveryKey => ({
      tenantId: event.tenant_id,
      endpointId,
      dedupKey: dedupKeyOf(event, how),
    });
    const [first] = events;
    if (first === undefined) return [];
    const stream = { tenantId: first.tenant_id, endpointId };

    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      // The head first: what enters behind this reading has changed it.
      const head = await streams.head(stream);
      const given = [...byId.values()];
      const known = await streams.deliveries(given.map(placeOf));
      const entered = given.flatMap(({ id }, index): SequencedEvent[] => {
        const sequence = known[index]?.document.sequence;
        return sequence === undefined ? [] : [{ eventId: id, sequence }];
      });
      const change = appendToStream(
        head?.document ?? emptyStream,
        events.map(({ id }) => id),
        new Set(entered.map(({ eventId }) => eventId)),
      );
      if (change.entries.length === 0) return entered;

      const by: Revision = { claim: newClaim(), attempt };
      const at = clock();
      const opening = change.entries.flatMap(({ eventId, sequence }): readonly Write[] => {
        const event = byId.get(eventId);
        if (event === undefined) throw new Error('an event entered that was not given');
        const entry = {
          endpoint_id: endpointId,
          sequence,
          kind: how.kind,
          event,
          entered_at: new Date(at).toISOString(),
          replayed: how.replay !== undefined,
        };
        return streams.append(placeOf(event), entry, newDelivery(sequence, at), by);
      });
      const isIn = await commitOrConflict(
        [streams.putHead(stream, change.stream, head?.revision ?? null, by), ...opening],
        { within: BACKGROUND_TIMEOUT_MS },
      );
      if (isIn) return [...entered, ...change.entries];
      await pause(attempt);
    }
    throw new Error('a stream was written by others too often');
  };

  return {
    publishTo: async (endpoint, events, how) => {
      const entries: SequencedEvent[] = [];
      for (const chunk of chunksOf(events)) entries.push(...(await publishChunk(endpoint.id, chunk, how)));
      return entries;
    },
  };
};
