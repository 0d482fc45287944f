import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  appendToStream,
  emptyStream,
  type Stream,
} from '../../../../functions/delivery/webhooks/streams/stream.ts';

const eventId = fc.integer({ min: 0, max: 30 }).map((number) => `evt_${number}`);
const gapFree = (length: number) => Array.from({ length }, (_, index) => index + 1);

describe('appendToStream', () => {
  it('numbers events from 1 in the given order', () => {
    const { stream, entries } = appendToStream(emptyStream, ['evt_b', 'evt_a'], new Set());

    expect(stream).toEqual({ last: 2 });
    expect(entries).toEqual([
      { eventId: 'evt_b', sequence: 1 },
      { eventId: 'evt_a', sequence: 2 },
    ]);
  });

  it('continues after the last number', () => {
    expect(appendToStream({ last: 41 }, ['evt_a'], new Set()).entries).toEqual([
      { eventId: 'evt_a', sequence: 42 },
    ]);
  });

  it('skips events that are in the stream and duplicates in the input', () => {
    const { stream, entries } = appendToStream({ last: 2 }, ['evt_a', 'evt_c', 'evt_c'], new Set(['evt_a']));

    expect(stream).toEqual({ last: 3 });
    expect(entries).toEqual([{ eventId: 'evt_c', sequence: 3 }]);
  });

  it('gives every event one number without gaps, for any overlapping batches', () => {
    fc.assert(
      fc.property(fc.array(fc.array(eventId)), (batches) => {
        const numbers = new Map<string, number>();
        let stream: Stream = emptyStream;
        for (const batch of batches) {
          const entered = appendToStream(stream, batch, new Set(numbers.keys()));
          stream = entered.stream;
          for (const { eventId, sequence } of entered.entries) numbers.set(eventId, sequence);
        }

        expect([...numbers.values()]).toEqual(gapFree(new Set(batches.flat()).size));
        expect(stream.last).toBe(numbers.size);
      }),
    );
  });
});

describe('concurrent producers', () => {
  /** A simulated table with an optimistic lock: a commit fails when another writer has changed the stream. */
  const table = () => {
    let stream: Stream = emptyStream;
    const rows = new Map<string, number>();
    return {
      rows,
      read: () => ({ stream, entered: new Set(rows.keys()) }),
      commit: (expected: Stream, { stream: next, entries }: ReturnType<typeof appendToStream>): boolean => {
        if (stream !== expected || entries.some(({ eventId }) => rows.has(eventId))) return false;
        stream = next;
        for (const { eventId, sequence } of entries) rows.set(eventId, sequence);
        return true;
      },
    };
  };

  it('assign gapless unique numbers under conflicts, crashes and redelivery', async () => {
    const outcomes = fc.array(fc.constantFrom('committed', 'lost before', 'lost after'), { maxLength: 20 });

    await fc.assert(
      fc.asyncProperty(fc.scheduler(), outcomes, async (scheduler, planned) => {
        const { rows, read, commit } = table();
        const nextOutcome = () => planned.pop() ?? 'committed';
        const produce = async (eventId: string): Promise<void> => {
          for (;;) {
            await scheduler.schedule(Promise.resolve());
            const { stream, entered } = read();
            const change = appendToStream(stream, [eventId], entered);
            await scheduler.schedule(Promise.resolve());
            const outcome = nextOutcome();
            if (outcome === 'lost before') continue;
            if (commit(stream, change) && outcome === 'committed') return;
          }
        };

        const producing = Promise.all(Array.from({ length: 12 }, (_, index) => produce(`evt_${index}`)));
        await scheduler.waitFor(producing);

        expect([...rows.values()]).toEqual(gapFree(12));
      }),
      { numRuns: 30 },
    );
  });
});
