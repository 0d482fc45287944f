import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

export interface Activity {
  /** Whether anything runs at this moment. */
  busy: boolean;
  /** Invocations begun since the start. */
  begun: number;
}

const POLL_INTERVAL_MS = 50;

/** Messages that something is done about soon, and those that wait for their time to come. */
const COUNTS = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
const DELAYED = 'ApproximateNumberOfMessagesDelayed';

/**
 * Resolves when nothing runs and no consumed queue holds a message that is visible or in flight. Queues are asked one
 * after another while work moves between them, so quiet counts only if a second round finds it too and nothing ran since.
 * `delayed` waits for messages, too, that nobody receives yet; `settled` for work that no queue holds.
 */
export async function waitUntilIdle(
  sqs: SQSClient,
  queueUrls: string[],
  activity: () => Activity,
  { delayed = false, settled = async () => {} }: { delayed?: boolean; settled?: () => Promise<unknown> } = {},
): Promise<void> {
  let quietSince: number | undefined;
  for (;;) {
    const { busy, begun } = activity();
    if (!busy) await settled();
    const quiet =
      !busy && (await Promise.all(queueUrls.map((url) => isEmpty(sqs, url, delayed)))).every(Boolean);
    if (quiet && quietSince === begun && activity().begun === begun) return;
    quietSince = quiet ? begun : undefined;
    if (!quiet) await sleep(POLL_INTERVAL_MS);
  }
}

async function isEmpty(sqs: SQSClient, QueueUrl: string, delayed: boolean): Promise<boolean> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: delayed ? [...COUNTS, DELAYED] : [...COUNTS],
    }),
  );
  return Object.values(Attributes ?? {}).every((count) => count === '0');
}
