import type { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { QueueAccess } from '../../schemas/platform/queues.ts';
import { nameIn } from '../names.ts';

const maximumOf =
  (metricName: string) =>
  (deployment: string, queue: QueueAccess['queue'], period: Duration): Metric =>
    new Metric({
      namespace: 'AWS/SQS',
      metricName,
      dimensionsMap: { QueueName: nameIn(deployment, queue) },
      statistic: 'Maximum',
      period,
    });

/** The messages of a queue that wait. */
export const visibleMessages = maximumOf('ApproximateNumberOfMessagesVisible');

/** How long the oldest message of a queue has waited, in seconds. */
export const oldestMessageAge = maximumOf('ApproximateAgeOfOldestMessage');
