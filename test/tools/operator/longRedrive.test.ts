import { beforeEach, expect, it, vi } from 'vitest';
import type { ReceivedDeadLetter } from '../../../functions/ingest/events/deadLetter.aws.ts';
import { redrive } from '../../../tools/operator/redrive.ts';
import { aKey } from '../../attribution/engine/events.ts';

/** Number of receives until a received message is visible again. Simulates a command that outlasts the visibility timeout. */
const RECEIVES_UNTIL_VISIBLE = 3;
const DEAD_LETTERS = 25;

/** A dead-letter queue of accepted messages that returns at most two messages per receive. */
const queueOf = (count: number) => {
  const messages = new Map(Array.from({ length: count }, (_, index) => [`message ${index}`, 0]));
  let receives = 0;
  return {
    messages,
    take: async (): Promise<ReceivedDeadLetter[]> => {
      receives += 1;
      const visible = [...messages].filter(([, hiddenUntil]) => hiddenUntil <= receives).slice(0, 2);
      return visible.map(([id]) => {
        messages.delete(id);
        messages.set(id, receives + RECEIVES_UNTIL_VISIBLE);
        const body = JSON.stringify({ tenant_id: 'acme', stated_by: aKey, received_at: 1, events: [id] });
        return { id, body, trusted: true, senderId: 'AIDASENDER', sentAt: 1, handle: id };
      });
    },
    remove: async (handle: string) => {
      messages.delete(handle);
    },
    release: async () => {
      throw new Error('the visibility timeout has expired');
    },
  };
};

const fakes = vi.hoisted(() => ({ queue: {}, sent: [] as string[] }));
vi.mock('../../../functions/ingest/events/deadLetter.aws.ts', () => ({
  deadLetterReader: (url: string) => (url === 'QueueAcceptedDeadLetter' ? fakes.queue : queueOf(0)),
}));
vi.mock('../../../functions/ingest/events/acceptedQueue.aws.ts', () => ({
  acceptedQueue: () => ({
    send: async (_tenantId: string, bodies: string[]) => void fakes.sent.push(...bodies),
  }),
}));

const deployment = { environment: 'local', baseUrl: '', output: (name: string) => name } as const;
const run = (dryRun: boolean) => redrive(deployment, { dryRun, reason: undefined, singleTenant: undefined });

beforeEach(() => {
  fakes.sent.length = 0;
});

it('ends a dry run and counts each message once when messages become visible again', async () => {
  const queue = queueOf(DEAD_LETTERS);
  fakes.queue = queue;

  const report = await run(true);

  expect(report).toEqual({ retries_exhausted: { found: DEAD_LETTERS, returned: 0 } });
  expect([queue.messages.size, fakes.sent]).toEqual([DEAD_LETTERS, []]);
});

it('redrives each message once', async () => {
  const queue = queueOf(DEAD_LETTERS);
  fakes.queue = queue;

  const report = await run(false);

  expect(report).toEqual({ retries_exhausted: { found: DEAD_LETTERS, returned: DEAD_LETTERS } });
  expect([queue.messages.size, new Set(fakes.sent).size, fakes.sent.length]).toEqual([
    0,
    DEAD_LETTERS,
    DEAD_LETTERS,
  ]);
});
