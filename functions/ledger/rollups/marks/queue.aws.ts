import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { RollupsQueueMessage } from '../../../../schemas/ledger/rollup.ts';
import { sqs } from '../../../platform/shared/aws/sqs.client.ts';
import { settings } from '../../../platform/shared/settings.ts';

/** Delay that collects changes of a minute: half of the time within which spend must be visible. */
const DELAY_SECONDS = 30;
/** A developer waits for the result, so local development uses 1 second for the first messages of a minute. */
const LOCAL_DELAYS_SECONDS = [1, 1, 2, 5];
const LOCAL_DELAY_MAXIMUM_SECONDS = 10;

const delaySecondsOf = (repetition: number): number => {
  if (settings.ROLLUPS_DELAY_SECONDS !== undefined) return settings.ROLLUPS_DELAY_SECONDS;
  return settings.ENVIRONMENT === 'local'
    ? (LOCAL_DELAYS_SECONDS[repetition] ?? LOCAL_DELAY_MAXIMUM_SECONDS)
    : DELAY_SECONDS;
};

/** The queue of minutes whose rollups must be recomputed. */
export interface RollupQueue {
  /**
   * How long a message waits at most before it is received, in milliseconds. `repetition` counts the earlier messages of its
   * minute from this process: a minute with many calls is summed less often.
   */
  readonly delayOf: (repetition: number) => number;
  readonly send: (message: RollupsQueueMessage, delay: number) => Promise<void>;
}

export const rollupQueue = (queueUrl: string): RollupQueue => ({
  delayOf: (repetition) => delaySecondsOf(repetition) * 1_000,
  send: async (message, delay) => {
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify(message),
        DelaySeconds: Math.ceil(delay / 1_000),
        MessageGroupId: message.tenant_id,
      }),
    );
  },
});
