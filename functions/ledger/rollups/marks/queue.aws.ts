import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { RollupsQueueMessage } from '../../../../schemas/ledger/rollup.ts';
import { sqs } from '../../../platform/shared/aws/sqs.client.ts';
import { settings } from '../../../platform/shared/settings.ts';

/** Delay that collects changes of a minute: half of the time within which spend must be visible. */
const DELAY_SECONDS = 30;
/**
 * A developer waits for the result, so local development waits a second for the first messages of a minute. Powers of two,
 * because the time slots of all processes then end together, and a sum settles the marks of all of them.
 */
const LOCAL_DELAYS_SECONDS = [1, 1, 2, 4];
const LOCAL_DELAY_LATER_SECONDS = 8;
const LOCAL_DELAY_MAXIMUM_SECONDS = 32;
/** Each sum reads all calls of the minute again, so on one machine many calls wait longer: a second for this many. */
const LOCAL_CALLS_A_SECOND = 100;

/** What one process has written of a minute so far. */
export interface MinuteActivity {
  readonly messages: number;
  readonly calls: number;
}

const localDelaySecondsOf = ({ messages, calls }: MinuteActivity): number => {
  const least = LOCAL_DELAYS_SECONDS[messages] ?? LOCAL_DELAY_LATER_SECONDS;
  const wanted = Math.max(least, calls / LOCAL_CALLS_A_SECOND);
  return Math.min(LOCAL_DELAY_MAXIMUM_SECONDS, 2 ** Math.ceil(Math.log2(wanted)));
};

const delaySecondsOf = (activity: MinuteActivity): number => {
  if (settings.ROLLUPS_DELAY_SECONDS !== undefined) return settings.ROLLUPS_DELAY_SECONDS;
  return settings.ENVIRONMENT === 'local' ? localDelaySecondsOf(activity) : DELAY_SECONDS;
};

/** The queue of minutes whose rollups must be recomputed. */
export interface RollupQueue {
  /**
   * How long a message waits at most before it is received, in milliseconds: a minute with many calls is summed less often.
   */
  readonly delayOf: (activity: MinuteActivity) => number;
  readonly send: (message: RollupsQueueMessage, delay: number) => Promise<void>;
}

export const rollupQueue = (queueUrl: string): RollupQueue => ({
  delayOf: (activity) => delaySecondsOf(activity) * 1_000,
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
