import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent, StreamRecord } from 'aws-lambda';
import pMap from 'p-map';
import { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { describeError, log } from '../shared/log.ts';
import { type Clock, fromExternalClock } from '../shared/time/clock.ts';
import type { ItemKey } from './unpublishedEvents.store.ts';

/** Number of tenants whose events are published in parallel. */
const CONCURRENCY = 8;

/** From this age of its changes on, a stream is late, and a tenant with many events delays the others of its shard. */
const LATE_MS = 10_000;
/** Events that a late stream publishes itself for a tenant in a batch: one transaction for each endpoint. */
const EVENTS_WHILE_LATE = 40;

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
  /** Queues items whose events were not published. The queue is fair to tenants, which a stream is not. */
  readonly queueForRetry: (tenantId: string, keys: readonly ItemKey[]) => Promise<void>;
  readonly clock: Clock;
}

/** The key of the changed item. It is available even when the item itself cannot be parsed. */
const keyOf = ({ dynamodb }: DynamoDBRecord): ItemKey => ({
  pk: dynamodb?.Keys?.['pk']?.S ?? '',
  sk: dynamodb?.Keys?.['sk']?.S ?? '',
});

/** Every partition key starts with the tenant: `<tenant>#<shard>`, or `<tenant>#<month>#<shard>`. */
const tenantOf = (record: DynamoDBRecord): string => keyOf(record).pk.split('#')[0] ?? '';

/** How many events of a tenant a batch with these changes publishes. The first one is the oldest. */
const publishedDirectly = ([first]: readonly DynamoDBRecord[], now: number): number => {
  const seconds = first?.dynamodb?.ApproximateCreationDateTime;
  const isLate = seconds !== undefined && now - fromExternalClock(seconds * 1_000) > LATE_MS;
  return isLate ? EVENTS_WHILE_LATE : Number.POSITIVE_INFINITY;
};

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
 *
 * While the stream is late, a tenant's events beyond a transaction go to that queue as well.
 */
export const relay = ({ eventOf, publish, queueForRetry, clock }: RelaySource) => {
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
    const direct = readable.slice(0, publishedDirectly(records, clock()));
    const deferred = readable.slice(direct.length).map(({ record }) => record);
    try {
      if (direct.length > 0)
        await publish(
          tenantId,
          direct.map(({ item }) => item),
        );
    } catch (error) {
      logFailure(tenantId, direct.length, error);
      waiting.push(direct.map(({ record }) => record));
    }
    if (deferred.length > 0) waiting.push(deferred);
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
