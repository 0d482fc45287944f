import { randomUUID } from 'node:crypto';
import {
  type ChannelMessageStore,
  notificationReader,
  notificationStore,
} from '../../delivery/notifications/notification.store.ts';
import { readMarkReader, readMarkWriter } from '../../delivery/notifications/readMark.store.ts';
import { deliveryLog, deliveryLogReader } from '../../delivery/webhooks/deliveries/deliveryLog.store.ts';
import type { DeliveryMessage } from '../../delivery/webhooks/deliveries/deliveryMessage.ts';
import { endpointLeaseStore } from '../../delivery/webhooks/deliveries/lease/endpointLease.store.ts';
import { challengeLimit } from '../../delivery/webhooks/endpoints/challengeLimit.ts';
import {
  type EndpointReader,
  endpointReader,
  endpointStateStore,
  endpointWriter,
} from '../../delivery/webhooks/endpoints/endpoint.store.ts';
import { publisher } from '../../delivery/webhooks/streams/publish.ts';
import { replayReader } from '../../delivery/webhooks/streams/replay.ts';
import { streamStore } from '../../delivery/webhooks/streams/stream.store.ts';
import { raisedVersions } from '../../ledger/records/raised/raisedVersions.store.ts';
import { bucketStore } from '../../platform/limits/bucket.store.ts';
import { raisedEventReader } from '../../platform/outbox/raisedEvents.store.ts';
import { pauseAfterConflict } from '../../platform/shared/retry/backoff.ts';
import { settings } from '../../platform/shared/settings.ts';
import type { Environment } from './provider.ts';
import { vetUrl } from './webhookEgress.ts';

type EndpointList = Pick<EndpointReader, 'endpointsOf'>;
export const webhooksList = (table: string): { readonly endpoints: EndpointList } => ({
  endpoints: endpointReader(table),
});
export const webhooksRead = (table: string) => ({ endpoints: endpointReader(table) });
/** A URL must pass the URL policy (`vet`), and a challenge must be within its limit, before either is written. */
export const webhooksWrite = (table: string, { resourceOf, clock }: Environment) => ({
  endpointWriter: endpointWriter(table),
  vet: vetUrl(),
  chargeChallenge: challengeLimit(bucketStore(resourceOf('limits.charge')), {
    clock,
    scale: settings.RATE_LIMIT_SCALE,
  }),
});
export const deliveriesAppend = (table: string, { resourceOf, clock }: Environment) => ({
  publisher: publisher({
    streams: streamStore(table),
    queue: {
      send: async (messages) => {
        // Loaded on first use: most calls of a unit publish nothing.
        const { delayedQueue } = await import('../../platform/shared/aws/delayedQueue.aws.ts');
        await delayedQueue<DeliveryMessage>(resourceOf('deliveries.send')).send(messages);
      },
    },
    clock,
    newClaim: randomUUID,
    pause: pauseAfterConflict,
  }),
});
export const deliveriesRead = (table: string) => ({
  deliveryLog: deliveryLogReader(table),
});
/** Reads events of the outbox, and those that follow from versions of records. */
export const outboxReplay = (table: string, { resourceOf }: Environment) => ({
  raised: replayReader(raisedEventReader(table), raisedVersions(table, resourceOf('ledger.readVersions'))),
});

export const notificationsRead = (table: string) => ({
  notifications: notificationReader(table),
});
export const notificationsReadMark = (table: string) => ({
  readMark: readMarkReader(table),
});
export const notificationsMark = (table: string) => ({
  readMarks: readMarkWriter(table),
});

export const webhooksUpdateState = (table: string) => ({
  endpointStates: endpointStateStore(table),
});
export const deliveriesAttempt = (table: string) => ({
  streams: streamStore(table),
  attempts: deliveryLog(table),
  leases: endpointLeaseStore(table),
});
export const notificationsWrite = (table: string) => ({
  store: notificationStore(table),
});
export const reportMessagesAdd = (
  table: string,
): { readonly reportMessages: Pick<ChannelMessageStore, 'putChannelMessage'> } => ({
  reportMessages: notificationStore(table),
});
