import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { delayedQueue } from '../../shared/aws/delayedQueue.store.ts';
import { systemClock } from '../../shared/clock.ts';
import { resource } from '../../shared/settings.ts';
import type { DeliveryMessage } from '../../webhooks/deliveries/deliveryMessage.ts';
import { toDueMessage } from '../../webhooks/deliveries/dispatch.ts';

const queue = delayedQueue<DeliveryMessage>(resource('queue', 'deliveries'));

/**
 * Puts on the queue what has become due, as the table's stream tells of it: whatever was committed is attempted, however
 * whoever committed it came to an end. A batch that fails is told again, and what is sent twice is attempted once.
 */
export const handler = async ({ Records }: DynamoDBStreamEvent): Promise<void> => {
  const now = systemClock();
  await queue.send(Records.flatMap(({ dynamodb }: DynamoDBRecord) => toDueMessage(dynamodb, now) ?? []));
};
