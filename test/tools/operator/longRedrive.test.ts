import { beforeEach, expect, it, vi } from 'vitest';
import type { ReceivedDeadLetter } from '../../../functions/ingestion/deadLetter.store.ts';
import { redrive } from '../../../tools/operator/redrive.ts';

/** Takes after which a message that was taken is back, as when a command runs longer than it may hold messages. */
const HOLD_TAKES = 3;
const DEAD_LETTERS = 25;

/** A dead-letter queue of accepted messages that hands out two at a time. */
const queueOf = (count: number) => {
  const lying = new Map(Array.from({ length: count }, (_, index) => [`message ${index}`, 0]));
  let takes = 0;
  return {
    lying,
    take: async (): Promise<ReceivedDeadLetter[]> => {
      takes += 1;
      const visible = [...lying].filter(([, heldUntil]) => heldUntil <= takes).slice(0, 2);
      return visible.map(([id]) => {
        lying.delete(id);
        lying.set(id, takes + HOLD_TAKES);
        const body = JSON.stringify({ tenant_id: 'acme', received_at: 1, events: [id] });
        return { id, body, trusted: true, senderId: 'AIDASENDER', sentAt: 1, handle: id };
      });
    },
    remove: async (handle: string) => {
      lying.delete(handle);
    },
    release: async () => {
      throw new Error('the hold has ended');
    },
  };
};

const world = vi.hoisted(() => ({ queue: {}, sent: [] as string[] }));
vi.mock('../../../functions/ingestion/deadLetter.store.ts', () => ({
  deadLetterReader: (url: string) => (url === 'QueueAcceptedDeadLetter' ? world.queue : queueOf(0)),
}));
vi.mock('../../../functions/ingestion/acceptedQueue.store.ts', () => ({
  acceptedQueue: () => ({ send: async (bodies: string[]) => void world.sent.push(...bodies) }),
}));

const deployment = { environment: 'local', baseUrl: '', output: (name: string) => name } as const;
const run = (dryRun: boolean) => redrive(deployment, { dryRun, reason: undefined, singleTenant: undefined });

beforeEach(() => {
  world.sent.length = 0;
});

it('ends and counts each message once when what it looked at first comes round again', async () => {
  const queue = queueOf(DEAD_LETTERS);
  world.queue = queue;

  const account = await run(true);

  expect(account).toEqual({ retries_exhausted: { found: DEAD_LETTERS, returned: 0 } });
  expect([queue.lying.size, world.sent]).toEqual([DEAD_LETTERS, []]);
});

it('returns each message once', async () => {
  const queue = queueOf(DEAD_LETTERS);
  world.queue = queue;

  const account = await run(false);

  expect(account).toEqual({ retries_exhausted: { found: DEAD_LETTERS, returned: DEAD_LETTERS } });
  expect([queue.lying.size, new Set(world.sent).size, world.sent.length]).toEqual([
    0,
    DEAD_LETTERS,
    DEAD_LETTERS,
  ]);
});
