import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import pMap from 'p-map';
import { RaisedEvent } from '../../schemas/events.ts';
import { describeError, log } from '../shared/log.ts';
import type { UnpublishedEvents } from './unpublishedEvents.store.ts';

/** Tenants whose events are published at once. */
const CONCURRENCY = 8;

/** Has events of one tenant reach everybody who subscribes to them; called again, it does nothing twice. */
export type Publish = (tenantId: string, events: readonly RaisedEvent[]) => Promise<void>;

/** What a change of the outbox says of the event, whether or not the event can be read. */
const keysOf = ({ dynamodb }: DynamoDBRecord) => ({
  tenantId: dynamodb?.Keys?.['pk']?.S ?? '',
  eventId: dynamodb?.Keys?.['sk']?.S ?? '',
});

const eventIn = ({ dynamodb }: DynamoDBRecord): RaisedEvent =>
  RaisedEvent.parse(JSON.parse(dynamodb?.NewImage?.['document']?.S ?? ''));

/**
 * Publishes what was raised, as the outbox's stream tells it: each tenant by itself and in order. Events of a tenant that
 * cannot be published wait on a queue, so that they hold up nobody else's; where not even that succeeds, the stream tells
 * of them again.
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
            message: 'events will be published later',
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
