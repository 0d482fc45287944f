import { randomUUID } from 'node:crypto';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { type Publish, relay } from '../../events/relay.ts';
import { UnpublishedMessage, unpublishedEvents } from '../../events/unpublishedEvents.store.ts';
import { eventEnqueuer } from '../../notifications/enqueueEvents.ts';
import { queueHandler } from '../../queue/queueHandler.ts';
import { delayedQueue } from '../../shared/aws/delayedQueue.store.ts';
import { pauseAfterConflict } from '../../shared/backoff.ts';
import { systemClock } from '../../shared/clock.ts';
import { resource } from '../../shared/settings.ts';
import { endpointReader } from '../../webhooks/endpoints/endpoint.store.ts';
import { fanOut } from '../../webhooks/streams/fanOut.ts';
import { publisher } from '../../webhooks/streams/publish.ts';
import { streamStore } from '../../webhooks/streams/stream.store.ts';

const publishToWebhooks = fanOut({
  endpoints: endpointReader(resource('table', 'webhooks')),
  publisher: publisher({
    streams: streamStore(resource('table', 'deliveries')),
    clock: systemClock,
    newClaim: randomUUID,
    pause: pauseAfterConflict,
  }),
});
const enqueueNotifications = eventEnqueuer(delayedQueue(resource('queue', 'notifications')));
const publish: Publish = async (tenantId, events) => {
  await Promise.all([publishToWebhooks(tenantId, events), enqueueNotifications(tenantId, events)]);
};
const unpublished = unpublishedEvents(resource('table', 'outbox'), resource('queue', 'events'));

const onRaised = relay(publish, unpublished);
const onUnpublished = queueHandler(async ({ body }) => {
  const message = UnpublishedMessage.parse(JSON.parse(body));
  await publish(message.tenant_id, await unpublished.read(message));
});

const isOfQueue = (event: DynamoDBStreamEvent | SQSEvent): event is SQSEvent =>
  event.Records.some((record) => record.eventSource === 'aws:sqs');

/** Publishes events from the outbox stream, and retries those that failed from their queue. */
export const handler = (
  event: DynamoDBStreamEvent | SQSEvent,
): Promise<DynamoDBBatchResponse | SQSBatchResponse> =>
  isOfQueue(event) ? onUnpublished(event) : onRaised(event);
