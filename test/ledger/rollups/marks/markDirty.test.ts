import { describe, expect, it } from 'vitest';
import { dirtyMarker } from '../../../../functions/ledger/rollups/marks/markDirty.ts';
import type { NewMark } from '../../../../functions/ledger/rollups/marks/pendingMark.store.ts';
import type { RollupQueue } from '../../../../functions/ledger/rollups/marks/queue.aws.ts';
import { RollupMessage } from '../../../../schemas/ledger/rollup.ts';

const DELAY = 30_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** More than the clocks of two machines differ. */
const SLACK = 5_000;

/** A marker with a simulated clock and a queue that records the sent messages. */
const startMarker = () => {
  const sent: { at: number; delay: number; message: RollupMessage }[] = [];
  const pending: NewMark[] = [];
  /** How far the clock was set back while no time passed. */
  const clock = { now: 0, setBack: 0 };
  const jitter = { now: 0 };
  let failures = 0;
  const queue: RollupQueue = {
    delayOf: () => DELAY,
    send: async (message, delay) => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('the queue does not respond');
      }
      sent.push({ at: clock.now, delay, message: RollupMessage.parse(message) });
    },
  };
  return {
    sent,
    clock,
    jitter,
    pending,
    mark: dirtyMarker({
      queue,
      pendingMarks: {
        add: async (_, mark) => {
          pending.push(mark);
        },
      },
      clock: () => clock.now - clock.setBack,
      elapsed: () => clock.now,
      newId: () => String(pending.length),
      random: () => jitter.now,
    }),
    failOnce: () => {
      failures = 1;
    },
  };
};

describe('dirtyMarker', () => {
  it.each([0, 1_000, 10_000, 20_000, 25_000, HOUR])(
    'covers each write with a message that is delivered after it, also after the clock was set back by %i ms',
    async (setBack) => {
      const { sent, pending, clock, mark } = startMarker();

      for (let written = 0; written < 10 * MINUTE; written += 777) {
        clock.now = written;
        if (written > 5 * MINUTE) clock.setBack = setBack;
        await mark('acme', [0]);
        const last = sent.findLast(({ message }) => message.minutes.includes(0));
        expect((last?.at ?? 0) + (last?.delay ?? 0)).toBeGreaterThan(written + SLACK);
        expect(pending.at(-1)?.coversUntil).toBeGreaterThan(written - clock.setBack);
      }

      expect(sent.length).toBeLessThan((10 * MINUTE) / (DELAY / 2));
    },
  );

  it('delays no message longer than the queue allows', async () => {
    const { sent, clock, jitter, mark } = startMarker();
    jitter.now = 1;
    for (let written = 0; written < 10 * MINUTE; written += 777) {
      clock.now = written;
      await mark('acme', [0]);
    }
    expect(Math.max(...sent.map(({ delay }) => delay))).toBeLessThanOrEqual(DELAY);
  });

  it('covers the same time slots in every process', async () => {
    const slotsOf = async (offset: number) => {
      const { pending, clock, mark } = startMarker();
      for (let written = offset; written < 5 * MINUTE; written += 1_009) {
        clock.now = written;
        await mark('acme', [0]);
      }
      return pending.map(({ coversUntil }) => coversUntil);
    };
    expect(await slotsOf(300)).toEqual(await slotsOf(0));
  });

  it('sends separate messages for another minute or tenant', async () => {
    const { sent, pending, mark } = startMarker();

    await mark('acme', [0, MINUTE, 1]);
    await mark('zebra', [0]);

    expect(sent.map(({ message }) => message)).toEqual([
      { tenant_id: 'acme', minutes: [0, 1], marks: [pending[0]?.key] },
      { tenant_id: 'zebra', minutes: [0], marks: [pending[1]?.key] },
    ]);
    expect(pending).toMatchObject([
      { minutes: [0, 1], coversUntil: 21_000 },
      { minutes: [0], coversUntil: 21_000 },
    ]);
  });

  it('always sends a message for a write that has not happened yet', async () => {
    const { sent, pending, mark } = startMarker();
    await mark('acme', [0]);

    await mark('acme', [0], { isAhead: true });

    expect(sent).toHaveLength(2);
    expect(sent[1]).toMatchObject({ delay: DELAY });
    expect(pending[1]?.coversUntil).toBeUndefined();
  });
});

describe('dirtyMarker when sending fails', () => {
  it('rejects all callers that waited for the message, and sends it for the next caller', async () => {
    const { sent, mark, failOnce } = startMarker();
    failOnce();

    const outcomes = await Promise.allSettled([mark('acme', [0]), mark('acme', [0])]);
    await mark('acme', [0]);

    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(sent).toHaveLength(1);
  });
});

it('sends messages of at most 200 minutes, each after its own mark', async () => {
  const { sent, pending, mark } = startMarker();

  await mark(
    'acme',
    Array.from({ length: 450 }, (_, index) => index * MINUTE),
  );

  expect(sent.map(({ message }) => message.minutes.length)).toEqual([200, 200, 50]);
  expect(sent.map(({ message }) => message.marks)).toEqual(pending.map(({ key }) => [key]));
});
