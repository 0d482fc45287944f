import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../shared/aws/sqs.client.ts';
import { settings } from '../shared/settings.ts';
import type { RollupQueue } from './markDirty.ts';

/**
 * Delay that collects changes of a minute before its rollup is recomputed: half of the time within which spend must be visible.
 * Local development uses 1 second, since a developer waits for the result.
 */
const DELAY_SECONDS = settings.ENVIRONMENT === 'local' ? 1 : 30;

/** The queue of minutes whose rollups must be recomputed. */
export const rollupQueue = (queueUrl: string): RollupQueue => ({
  delay: DELAY_SECONDS * 1_000,
  send: async (message) => {
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify(message),
        DelaySeconds: DELAY_SECONDS,
      }),
    );
  },
});
