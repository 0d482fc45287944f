import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent, StreamRecord } from 'aws-lambda';
import pMap from 'p-map';
import { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { describeError, log } from '../shared/log.ts';
import type { ItemKey } from './unpublishedEvents.store.ts';

/** Number of tenants whose events are published in parallel. */
const CONCURRENCY = 8;

/** Publishes events of one tenant to all subscribers. Idempotent. */
export type Publish = (tenantId: string, events: readonly RaisedEvent[]) => Promise<void>;

/** A committed item, and the event that it raises. */
export interface RaisedItem {
  readonly key: ItemKey;
  readonly event: RaisedEvent;
}

interface RelaySource {
  /** The event of a created item. An item for which it throws fails alone. */
  readonly eventOf: (change: StreamRecord) => RaisedEvent;
  readonly publish: (tenantId: string, raised: readonly RaisedItem[]) => Promise<void>;
  /** Queues items whose events were not published. */
  readonly queueForRetry: (tenantId: string, keys: readonly ItemKey[]) => Promise<void>;
}

/** The key of the changed item. It is available even when the item itself cannot be parsed. */
const keyOf = ({ dynamodb }: DynamoDBRecord): ItemKey => ({
  pk: dynamodb?.Keys?.['pk']?.S ?? '',
  sk: dynamodb?.Keys?.['sk']?.S ?? '',
});

/** Every partition key starts with the tenant: `<tenant>#<shard>`, or `<tenant>#<month>#<shard>`. */
const tenantOf = (record: DynamoDBRecord): string => keyOf(record).pk.split('#')[0] ?? '';

/** The event in an item of the outbox. */
export const eventInOutbox = ({ NewImage }: StreamRecord): RaisedEvent =>
  RaisedEvent.parse(JSON.parse(NewImage?.['document']?.S ?? ''));

/** The first of these records, which makes the stream deliver it and those behind it again. */
const firstOf = (records: readonly DynamoDBRecord[]): string[] =>
  records.slice(0, 1).map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');

const logFailure = (tenant_id: string, count: number, error: unknown): void =>
  log({
    level: 'error',
    message: 'Publishing events failed. They are queued for a retry.',
    tenant_id,
    count,
    ...describeError(error),
  });

/**
 * Publishes the events of created items in a batch of a table's change stream, per tenant and in order. Events that cannot be
 * published are sent to a queue, so that they do not block other tenants: each that cannot be read in a message of its own,
 * so that it stops no other event. When the queue fails too, the batch item failure makes the stream deliver them again.
 */
export const relay = ({ eventOf, publish, queueForRetry }: RelaySource) => {
  const publishTenant = async (tenantId: string, records: readonly DynamoDBRecord[]): Promise<string[]> => {
    const readable: { readonly record: DynamoDBRecord; readonly item: RaisedItem }[] = [];
    const unreadable: DynamoDBRecord[] = [];
    for (const record of records) {
      try {
        readable.push({ record, item: { key: keyOf(record), event: eventOf(record.dynamodb ?? {}) } });
      } catch (error) {
        logFailure(tenantId, 1, error);
        unreadable.push(record);
      }
    }
    const waiting = unreadable.map((record) => [record]);
    try {
      if (readable.length > 0)
        await publish(
          tenantId,
          readable.map(({ item }) => item),
        );
    } catch (error) {
      logFailure(tenantId, readable.length, error);
      waiting.push(readable.map(({ record }) => record));
    }
    try {
      for (const group of waiting) await queueForRetry(tenantId, group.map(keyOf));
      return [];
    } catch {
      return firstOf(records);
    }
  };

  return async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const failed = await pMap(
      [...Map.groupBy(Records, tenantOf)],
      ([tenantId, records]) => publishTenant(tenantId, records),
      { concurrency: CONCURRENCY },
    );
    return { batchItemFailures: failed.flat().map((itemIdentifier) => ({ itemIdentifier })) };
  };
};
