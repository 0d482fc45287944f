import type { DynamoDBBatchResponse, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { eventEnqueuer } from '../../delivery/notifications/enqueueEvents.ts';
import { fanOut } from '../../delivery/webhooks/streams/fanOut.ts';
import { eventOfVersion, raisedVersions } from '../../ledger/records/raised/raisedVersions.store.ts';
import { eventInOutbox, type Publish, type RaisedItem, relay } from '../../platform/outbox/relay.ts';
import { unpublishedRetrier } from '../../platform/outbox/retryUnpublished.ts';
import { UnpublishedMessage, unpublishedEvents } from '../../platform/outbox/unpublishedEvents.store.ts';
import { delayedQueue } from '../../platform/shared/aws/delayedQueue.aws.ts';
import { type InvocationContext, withinInvocation } from '../../platform/shared/time/invocationTime.ts';
import { deliveriesAppend, webhooksList } from '../stores/delivery.ts';
import { environment } from '../stores/environment.ts';
import { outboxRead } from '../stores/platform.ts';
import { storesIn } from '../stores/provider.ts';
import { queueWorker } from '../wiring/queueWorker.ts';

const { resourceOf, clock } = environment;
const { endpoints, publisher, raisedEvents } = storesIn(environment, {
  deliveriesAppend,
  outboxRead,
  webhooksList,
});
const publishToWebhooks = fanOut({ endpoints, publisher });
const enqueueNotifications = eventEnqueuer(delayedQueue(resourceOf('notifications.send')));
const publish: Publish = async (tenantId, events) => {
  await Promise.all([publishToWebhooks(tenantId, events), enqueueNotifications(tenantId, events)]);
};
const versions = raisedVersions(resourceOf('outbox.read'), resourceOf('ledger.readVersions'));
const unpublished = unpublishedEvents(resourceOf('events.send'));
const publishItems = (tenantId: string, items: readonly RaisedItem[]): Promise<void> =>
  publish(
    tenantId,
    items.map(({ event }) => event),
  );

const onRaised = relay({
  eventOf: eventInOutbox,
  publish: publishItems,
  queueForRetry: (tenant_id, keys) => unpublished.send({ tenant_id, event_ids: keys.map(({ sk }) => sk) }),
  clock,
});
const onVersions = relay({
  eventOf: eventOfVersion,
  publish: publishItems,
  queueForRetry: (tenant_id, keys) => unpublished.send({ tenant_id, versions: [...keys] }),
  clock,
});
const retryUnpublished = unpublishedRetrier({
  eventOf: raisedEvents.event,
  itemsOf: versions.items,
  publish,
  queue: unpublished,
});
const onUnpublished = queueWorker(['events'], {
  parse: ({ body }) => UnpublishedMessage.parse(JSON.parse(body)),
  handle: async ([message]) => {
    await retryUnpublished(message);
    return [];
  },
});

const isOfQueue = (event: DynamoDBStreamEvent | SQSEvent): event is SQSEvent =>
  event.Records.some((record) => record.eventSource === 'aws:sqs');
/** An item of the outbox holds its event. An item of the ledger carries a mark. */
const isOfLedger = ({ Records }: DynamoDBStreamEvent): boolean =>
  Records.some(({ dynamodb }) => dynamodb?.NewImage?.['raised'] !== undefined);

/** Publishes events from the streams of the outbox and the ledger, and retries those that failed from their queue. */
export const handler = (
  event: DynamoDBStreamEvent | SQSEvent,
  context?: InvocationContext,
): Promise<DynamoDBBatchResponse | SQSBatchResponse> => {
  if (isOfQueue(event)) return onUnpublished(event, context);
  // Without it, the events of many tenants would outlast the function while a table is throttled.
  return withinInvocation(context, () => (isOfLedger(event) ? onVersions(event) : onRaised(event)));
};
