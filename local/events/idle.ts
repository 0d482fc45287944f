import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

export interface Activity {
  /** The names of what runs now. */
  running: string[];
  /** Invocations started since the start of the runtime. */
  begun: number;
}

const POLL_INTERVAL_MS = 50;

/** Whether to wait for delayed messages: of all queues, or of those with these URLs. */
export type Delayed = boolean | readonly string[];

export interface IdleOptions {
  readonly delayed?: Delayed | undefined;
  /** Milliseconds. */
  readonly patienceMs?: number | undefined;
}

/** Attributes that count visible and in-flight messages. */
const COUNTS = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
const DELAYED = 'ApproximateNumberOfMessagesDelayed';

/**
 * Resolves when nothing runs and no consumed queue has a visible or in-flight message. The queues are not read at the same
 * instant and work moves between them. So two consecutive rounds must find everything idle, with no invocation between.
 * `delayed` also waits for delayed messages. `settled` also waits for work outside the queues, such as streams. Throws after
 * `patienceMs`, if given, with what it waits for.
 */
export async function waitUntilIdle(
  sqs: SQSClient,
  queueUrls: string[],
  activity: () => Activity,
  {
    delayed = false,
    settled = async () => {},
    patienceMs,
  }: IdleOptions & { readonly settled?: () => Promise<unknown> } = {},
): Promise<void> {
  const waitsForDelayed = (url: string): boolean =>
    typeof delayed === 'boolean' ? delayed : delayed.includes(url);
  let waitsFor = '';
  const ended = new AbortController();
  const idle = async (): Promise<void> => {
    let idleSince: number | undefined;
    let filled: string | undefined;
    while (!ended.signal.aborted) {
      const { running, begun } = activity();
      if (running.length === 0) {
        waitsFor = 'a stream';
        await settled();
        waitsFor = filled ?? 'a queue';
        filled = await firstFilled(sqs, [filled ?? [], queueUrls].flat(), waitsForDelayed);
      }
      waitsFor = [...running, filled ?? []].flat().join(', ');
      const isIdle = waitsFor === '';
      if (isIdle && idleSince === begun && activity().begun === begun) return;
      idleSince = isIdle ? begun : undefined;
      if (!isIdle) await sleep(POLL_INTERVAL_MS);
    }
  };
  const impatience = async (limitMs: number): Promise<void> => {
    await sleep(limitMs, undefined, { signal: ended.signal });
    throw new Error(`The service is still busy after ${limitMs / 1_000} seconds with: ${waitsFor}`);
  };
  try {
    await (patienceMs === undefined ? idle() : Promise.race([idle(), impatience(patienceMs)]));
  } finally {
    ended.abort();
  }
}

/** One after the other: a queue that has messages for seconds then costs one call each time. */
async function firstFilled(
  sqs: SQSClient,
  queueUrls: readonly string[],
  waitsForDelayed: (url: string) => boolean,
): Promise<string | undefined> {
  for (const url of queueUrls) if (!(await isEmpty(sqs, url, waitsForDelayed(url)))) return url;
  return undefined;
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
