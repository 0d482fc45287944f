import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { DeliveryMessage } from '../../delivery/webhooks/deliveries/deliveryMessage.ts';
import { toDueMessages } from '../../delivery/webhooks/deliveries/dispatch.ts';
import { delayedQueue } from '../../platform/shared/aws/delayedQueue.aws.ts';
import { environment } from '../stores/environment.ts';

const queue = delayedQueue<DeliveryMessage>(environment.resourceOf('deliveries.send'));

/**
 * Sends due deliveries to the queue, triggered by the table stream. Every committed delivery is therefore attempted, even
 * if its writer crashed after the commit. A failed batch is retried, and a delivery sent twice is attempted once.
 */
export const handler = async ({ Records }: DynamoDBStreamEvent): Promise<void> => {
  const now = environment.clock();
  const changes = Records.map(({ dynamodb }: DynamoDBRecord) => dynamodb);
  await queue.send(toDueMessages(changes, now));
};
