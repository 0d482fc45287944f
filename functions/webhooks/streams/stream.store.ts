import * as z from 'zod';
import { DELIVERY_RETENTION_DAYS, StreamEntry, StreamHead } from '../../../schemas/webhooks.ts';
import {
  putDocument,
  type Revision,
  readAllVersioned,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../shared/aws/document.store.ts';
import { Delivery } from '../deliveries/delivery.ts';
import { type DeliveryKey, partitionOf, type StreamKey } from '../deliveries/deliveryKey.ts';

const RETENTION_SECONDS = DELIVERY_RETENTION_DAYS * 24 * 60 * 60;

/** An entry as it is stored: what is sent, and whether it is sent because somebody asked for it again. */
export const StoredEntry = StreamEntry.extend({ replayed: z.boolean() });
export type StoredEntry = z.infer<typeof StoredEntry>;

/** Raw attribute of a delivery that somebody must still look after: the table's stream is filtered by it. */
const DUE = 'due';

const headKey = (place: StreamKey) => ({ pk: partitionOf('stream', place), sk: 'head' });
const entryKey = (place: DeliveryKey) => ({ pk: partitionOf('entry', place), sk: place.dedupKey });
const deliveryKey = (place: DeliveryKey) => ({ pk: partitionOf('delivery', place), sk: place.dedupKey });

const ttlFrom = (at: number): number => Math.ceil(at / 1_000) + RETENTION_SECONDS;

/** Makes a delivery that is not over visible to whoever puts it on its queue. */
const withDue = (write: Write, due: number | null): Write =>
  due === null || write.Put === undefined
    ? write
    : { Put: { ...write.Put, Item: { ...write.Put.Item, [DUE]: { N: String(due) } } } };

export interface StreamReader {
  /** Each where its place is; null where nothing has entered for its cause. */
  readonly entries: (places: readonly DeliveryKey[]) => Promise<(StoredEntry | null)[]>;
  readonly deliveries: (places: readonly DeliveryKey[]) => Promise<(Versioned<Delivery> | null)[]>;
  readonly delivery: (place: DeliveryKey) => Promise<Versioned<Delivery> | null>;
}

export interface StreamStore extends StreamReader {
  readonly head: (place: StreamKey) => Promise<Versioned<StreamHead> | null>;
  readonly putHead: (place: StreamKey, head: StreamHead, seen: Revision | null, by: Revision) => Write;
  /** The writes that make an entry known, and its delivery due; they fail where there is one for its cause. */
  readonly append: (
    place: DeliveryKey,
    entry: StoredEntry,
    delivery: Delivery,
    by: Revision,
  ) => readonly Write[];
  /** Saves where a delivery stands; it fails where somebody else saved it since `seen`. */
  readonly save: (place: DeliveryKey, delivery: Delivery, seen: Revision, by: Revision) => Write;
}

/** Streams of endpoints: the last sequence of each, what entered, and how far its delivery has come. */
export const streamStore = (table: string): StreamStore => {
  const putDelivery = (
    place: DeliveryKey,
    delivery: Delivery,
    seen: Revision | null,
    by: Revision,
  ): Write => {
    const ttl = ttlFrom(Date.parse(delivery.entered_at));
    return withDue(
      writeDocument(table, deliveryKey(place), delivery, { expectedRevision: seen, by, ttl }),
      delivery.state === 'pending' ? Date.parse(delivery.due_at) : null,
    );
  };
  return {
    entries: async (places) =>
      (await readAllVersioned(table, places.map(entryKey), StoredEntry)).map(
        (found) => found?.document ?? null,
      ),
    deliveries: (places) => readAllVersioned(table, places.map(deliveryKey), Delivery),
    delivery: (place) => readVersioned(table, deliveryKey(place), Delivery),
    head: (place) => readVersioned(table, headKey(place), StreamHead),
    putHead: (place, head, seen, by) =>
      writeDocument(table, headKey(place), head, { expectedRevision: seen, by }),
    append: (place, entry, delivery, by) => [
      // Its delivery stands for both: they are written together.
      putDelivery(place, delivery, null, by),
      putDocument(table, entryKey(place), entry, { ttl: ttlFrom(Date.parse(entry.entered_at)), by }),
    ],
    save: putDelivery,
  };
};
