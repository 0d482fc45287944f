import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { delayedQueue } from '../../shared/aws/delayedQueue.store.ts';
import { resource } from '../../shared/settings.ts';
import { systemClock } from '../../shared/time/clock.ts';
import type { DeliveryMessage } from '../../webhooks/deliveries/deliveryMessage.ts';
import { toDueMessages } from '../../webhooks/deliveries/dispatch.ts';

const queue = delayedQueue<DeliveryMessage>(resource('queue', 'deliveries'));

/**
 * Sends due deliveries to the queue, triggered by the table stream. Every committed delivery is therefore attempted, even
 * if its writer crashed after the commit. A failed batch is retried, and a delivery sent twice is attempted once.
 */
export const handler = async ({ Records }: DynamoDBStreamEvent): Promise<void> => {
  const now = systemClock();
  const changes = Records.map(({ dynamodb }: DynamoDBRecord) => dynamodb);
  await queue.send(toDueMessages(changes, now));
};
