import type { ChannelName } from '../../../../schemas/delivery/notifications.ts';
import type { DelayedQueue } from '../../../platform/shared/aws/delayedQueue.aws.ts';
import type { ChannelMessageJob } from '../queueMessage.ts';

export interface ChannelQueues {
  /** Mail to send. */
  readonly own: DelayedQueue<ChannelMessageJob>;
  /** Chat messages. They go to the queue of the delivery worker, the only function that calls URLs chosen by tenants. */
  readonly deliveries: DelayedQueue<ChannelMessageJob>;
}

/** Queues the stored messages with an id. A message that is queued twice is sent once. */
export const queueMessages = async (
  { own, deliveries }: ChannelQueues,
  tenantId: string,
  id: string,
  channels: readonly ChannelName[],
): Promise<void> => {
  const timed = { message: { tenant_id: tenantId, posting: id }, wait: 0 };
  if (channels.includes('email')) await own.send([timed]);
  if (channels.includes('chat')) await deliveries.send([timed]);
};
