import type { QueueName } from '../../../schemas/platform/queues.ts';
import { failedMessages } from '../../platform/queue/failedMessages.aws.ts';
import { setAsideExhausted } from '../../platform/queue/setAside.aws.ts';
import type { FailureHandling } from '../../platform/queue/settleFailures.ts';
import { resource } from '../../platform/shared/settings.ts';

/**
 * What a worker does with messages of its sources that fail: an exhausted one goes to the dead-letter queue of the first
 * source, and any other returns soon. The permissions follow from the sources (`schemas/platform/workers.ts`).
 */
export const failuresOf = (source: QueueName, ...others: QueueName[]): Required<FailureHandling> => ({
  setAside: setAsideExhausted(resource('queue', `${source}DeadLetter`)),
  returnSoon: failedMessages([source, ...others].map((name) => resource('queue', name))),
});
