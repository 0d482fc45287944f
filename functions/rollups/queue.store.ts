import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../shared/aws/sqs.client.ts';
import { settings } from '../shared/settings.ts';
import type { RollupQueue } from './markDirty.ts';

/**
 * How long changes of a minute gather before it is summed anew: half of what spend may take to be seen. On one machine
 * somebody is waiting.
 */
const DELAY_SECONDS = settings.ENVIRONMENT === 'local' ? 1 : 30;

/** The queue of what must be summed anew. */
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
