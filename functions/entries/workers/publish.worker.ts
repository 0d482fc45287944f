import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { UnpublishedMessage, unpublishedEvents } from '../../events/relay.store.ts';
import { type Publish, relay } from '../../events/relay.ts';
import { announcer } from '../../notifications/announce.ts';
import { notificationQueue } from '../../notifications/notificationQueue.store.ts';
import { queueHandler } from '../../queue/batch.ts';
import { systemClock } from '../../shared/clock.ts';
import { resource } from '../../shared/settings.ts';
import { endpointReader } from '../../webhooks/endpoints/endpoint.store.ts';
import { fanOut } from '../../webhooks/streams/fanOut.ts';
import { publisher } from '../../webhooks/streams/publish.ts';
import { streamStore } from '../../webhooks/streams/stream.store.ts';

const enter = fanOut({
  endpoints: endpointReader(resource('table', 'webhooks')),
  publisher: publisher({
    streams: streamStore(resource('table', 'deliveries')),
    clock: systemClock,
    newClaim: randomUUID,
    // Up to a fifth of a second, more with each try: writers of one stream get out of each other's way.
    pause: (attempt) => sleep(Math.random() * Math.min(attempt, 10) * 20),
  }),
});
const announce = announcer(notificationQueue(resource('queue', 'notifications')));
const publish: Publish = async (tenantId, events) => {
  await Promise.all([enter(tenantId, events), announce(tenantId, events)]);
};
const unpublished = unpublishedEvents(resource('table', 'outbox'), resource('queue', 'events'));

const onRaised = relay(publish, unpublished);
const onLeft = queueHandler(async ({ body }) => {
  const message = UnpublishedMessage.parse(JSON.parse(body));
  await publish(message.tenant_id, await unpublished.read(message));
});

const isOfQueue = (event: DynamoDBStreamEvent | SQSEvent): event is SQSEvent =>
  event.Records.some((record) => record.eventSource === 'aws:sqs');

/** Publishes events as the outbox tells of them, and those that could not be published then. */
export const handler = (
  event: DynamoDBStreamEvent | SQSEvent,
): Promise<DynamoDBBatchResponse | SQSBatchResponse> => (isOfQueue(event) ? onLeft(event) : onRaised(event));
