import type { QueueName } from '../../../schemas/platform/queues.ts';
import { failedMessages } from '../../platform/queue/failedMessages.aws.ts';
import { type Queue, queueHandler } from '../../platform/queue/queueHandler.ts';
import type { FailureHandling } from '../../platform/queue/settleFailures.ts';
import { withMetrics } from '../../platform/shared/metrics.ts';
import { resource } from '../../platform/shared/settings.ts';

/**
 * The handler of the queues that are the sources of a worker. Messages that fail return to their queue, and exhausted ones go
 * to the dead-letter queue of the first, unless `setAside` has put them elsewhere. The permissions and variables for that
 * follow from the sources (`lib/compute/eventSources.ts`), so a queue that is none fails the cold start.
 */
export const queueWorker = <Message>(
  [first, ...others]: readonly [QueueName, ...QueueName[]],
  { setAside = async () => false, ...queue }: Queue<Message> & Partial<Pick<FailureHandling, 'setAside'>>,
) => {
  const failures = failedMessages(
    [first, ...others].map((source) => resource('queue', source)),
    resource('queue', `${first}DeadLetter`),
  );
  return withMetrics(
    queueHandler({
      ...queue,
      ...failures,
      setAside: async (record, error) =>
        (await setAside(record, error)) || (await failures.setAside(record, error)),
    }),
  );
};
