import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import pMap from 'p-map';
import { RaisedEvent } from '../../schemas/events.ts';
import { describeError, log } from '../shared/log.ts';
import type { UnpublishedEvents } from './unpublishedEvents.store.ts';

/** Number of tenants whose events are published in parallel. */
const CONCURRENCY = 8;

/** Publishes events of one tenant to all subscribers. Idempotent. */
export type Publish = (tenantId: string, events: readonly RaisedEvent[]) => Promise<void>;

/** The keys of the event in a stream record. They are available even when the event itself cannot be parsed. */
const keysOf = ({ dynamodb }: DynamoDBRecord) => ({
  tenantId: dynamodb?.Keys?.['pk']?.S ?? '',
  eventId: dynamodb?.Keys?.['sk']?.S ?? '',
});

const eventIn = ({ dynamodb }: DynamoDBRecord): RaisedEvent =>
  RaisedEvent.parse(JSON.parse(dynamodb?.NewImage?.['document']?.S ?? ''));

/**
 * Publishes the events in a batch of the outbox's change stream, per tenant and in order. Events of a tenant that cannot be
 * published are sent to a queue, so that they do not block other tenants. When the queue fails too, the batch item failure
 * makes the stream deliver them again.
 */
export const relay =
  (publish: Publish, unpublished: Pick<UnpublishedEvents, 'send'>) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const byTenant = [...Map.groupBy(Records, (record) => keysOf(record).tenantId)];
    const failed = await pMap(
      byTenant,
      async ([tenantId, records]) => {
        try {
          await publish(tenantId, records.map(eventIn));
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
          await unpublished.send({
            tenant_id: tenantId,
            event_ids: records.map((record) => keysOf(record).eventId),
          });
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
