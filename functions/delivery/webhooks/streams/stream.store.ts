import * as z from 'zod';
import { DELIVERY_RETENTION_DAYS, StreamEntry, StreamHead } from '../../../../schemas/delivery/webhooks.ts';
import { DAY_SECONDS } from '../../../../schemas/durations.ts';
import {
  putDocument,
  type Revision,
  readAllVersioned,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../../platform/shared/aws/document.store.ts';
import { Delivery } from '../deliveries/delivery.ts';
import { type DeliveryKey, partitionOf, type StreamKey } from '../deliveries/deliveryKey.ts';

const RETENTION_SECONDS = DELIVERY_RETENTION_DAYS * DAY_SECONDS;

/** A stored stream entry. `replayed` is true when a replay request appended it. */
export const StoredEntry = StreamEntry.extend({ replayed: z.boolean() });
export type StoredEntry = z.infer<typeof StoredEntry>;

const headKey = (key: StreamKey) => ({ pk: partitionOf('stream', key), sk: 'head' });
const entryKey = (key: DeliveryKey) => ({ pk: partitionOf('entry', key), sk: key.dedupKey });
const deliveryKey = (key: DeliveryKey) => ({ pk: partitionOf('delivery', key), sk: key.dedupKey });

const ttlFrom = (at: number): number => Math.ceil(at / 1_000) + RETENTION_SECONDS;

export interface StreamReader {
  /** The entry of each key, in the order of the keys. Null where no entry has that dedup key. */
  readonly entries: (keys: readonly DeliveryKey[]) => Promise<(StoredEntry | null)[]>;
  readonly deliveries: (keys: readonly DeliveryKey[]) => Promise<(Versioned<Delivery> | null)[]>;
  readonly delivery: (key: DeliveryKey) => Promise<Versioned<Delivery> | null>;
}

export interface StreamStore extends StreamReader {
  readonly head: (key: StreamKey) => Promise<Versioned<StreamHead> | null>;
  readonly putHead: (key: StreamKey, head: StreamHead, expected: Revision | null, by: Revision) => Write;
  /** The writes that add an entry and its pending delivery. They fail when an entry with the dedup key exists. */
  readonly append: (
    key: DeliveryKey,
    entry: StoredEntry,
    delivery: Delivery,
    by: Revision,
  ) => readonly Write[];
  /** The write that saves a delivery. It fails when another writer has saved it since `expected`. */
  readonly save: (key: DeliveryKey, delivery: Delivery, expected: Revision, by: Revision) => Write;
}

/** The streams of endpoints: the last sequence number of each stream, its entries, and the state of their deliveries. */
export const streamStore = (table: string): StreamStore => {
  const putDelivery = (
    key: DeliveryKey,
    delivery: Delivery,
    expected: Revision | null,
    by: Revision,
  ): Write => {
    const ttl = ttlFrom(Date.parse(delivery.entered_at));
    return writeDocument(table, deliveryKey(key), delivery, { expectedRevision: expected, by, ttl });
  };
  return {
    entries: async (keys) =>
      (await readAllVersioned(table, keys.map(entryKey), StoredEntry)).map(
        (found) => found?.document ?? null,
      ),
    deliveries: (keys) => readAllVersioned(table, keys.map(deliveryKey), Delivery),
    delivery: (key) => readVersioned(table, deliveryKey(key), Delivery),
    head: (key) => readVersioned(table, headKey(key), StreamHead),
    putHead: (key, head, expected, by) =>
      writeDocument(table, headKey(key), head, { expectedRevision: expected, by }),
    append: (key, entry, delivery, by) => [
      // Only the delivery has a condition, because both items are always written together.
      putDelivery(key, delivery, null, by),
      putDocument(table, entryKey(key), entry, { ttl: ttlFrom(Date.parse(entry.entered_at)), by }),
    ],
    save: putDelivery,
  };
};
