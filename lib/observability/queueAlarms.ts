import { Duration } from 'aws-cdk-lib';
import {
  type QueueName,
  type QueueShape,
  queueNames,
  queues as queueShapes,
} from '../../schemas/platform/queues.ts';
import type { Settings } from '../settings.ts';
import { type AlarmShape, byName, MINUTE } from './alarmShape.ts';
import { oldestMessageAge, visibleMessages } from './queueMetrics.ts';

/** Maximum age of a message: its planned delay plus two minutes. */
const maximumAge = (name: QueueName): Duration => {
  const { delaySeconds = 0 }: QueueShape = queueShapes[name];
  return Duration.minutes(2).plus(Duration.seconds(delaySeconds));
};

/** The alarms of queues that are consumed: a message failed for good, or waits. */
export const queueAlarms = ({ deployment, hasProducers }: Settings): Record<string, AlarmShape> => {
  const consumed = queueNames.filter((name) => name !== 'ingestion' || hasProducers);
  return {
    ...byName(consumed, 'DeadLetters', (name) => ({
      metric: visibleMessages(deployment, `${name}DeadLetter`, MINUTE),
      threshold: 1,
      periods: 1,
      severity: 'ticket',
      summary: `Messages of queue ${name} failed and are in its dead-letter queue.`,
      runbook: 'dead-letters',
    })),
    ...byName(consumed, 'Backlog', (name) => ({
      metric: oldestMessageAge(deployment, name, MINUTE),
      threshold: maximumAge(name).toSeconds(),
      periods: 3,
      severity: name === 'accepted' || name === 'ingestion' ? 'page' : 'ticket',
      summary: `The oldest message in queue ${name} is more than ${maximumAge(name).toMinutes()} minutes old. Processing is delayed.`,
      runbook: 'backlog',
    })),
  };
};
