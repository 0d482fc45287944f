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
  /** The event of a created item. A tenant for which it throws fails alone. */
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

/**
 * Publishes the events of created items in a batch of a table's change stream, per tenant and in order. Events of a tenant
 * that cannot be published are sent to a queue, so that they do not block other tenants. When the queue fails too, the
 * batch item failure makes the stream deliver them again.
 */
export const relay =
  ({ eventOf, publish, queueForRetry }: RelaySource) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const failed = await pMap(
      [...Map.groupBy(Records, tenantOf)],
      async ([tenantId, records]) => {
        try {
          const raised = records.map((record) => ({
            key: keyOf(record),
            event: eventOf(record.dynamodb ?? {}),
          }));
          await publish(tenantId, raised);
          return [];
        } catch (error) {
          log({
            level: 'error',
            message: 'Publishing events failed. They are queued for a retry.',
            tenant_id: tenantId,
            ...describeError(error),
          });
        }
        try {
          await queueForRetry(tenantId, records.map(keyOf));
          return [];
        } catch {
          return records
            .slice(0, 1)
            .map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber ?? '' }));
        }
      },
      { concurrency: CONCURRENCY },
    );
    return { batchItemFailures: failed.flat() };
  };
