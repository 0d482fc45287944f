import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hourlyCounters } from '../../functions/diagnostics/counters.ts';

const HOUR = 60 * 60 * 1_000;

let now: number;
let isDown: boolean;
let added: [string, string, Record<string, number>][];
let counters: ReturnType<typeof hourlyCounters>;

beforeEach(() => {
  now = Date.parse('2026-05-01T12:59:55Z');
  isDown = false;
  added = [];
  counters = hourlyCounters(
    {
      add: async (tenantId, hour, counts) => {
        if (isDown) throw new Error('no table');
        added.push([tenantId, hour, Object.fromEntries(counts)]);
      },
    },
    () => now,
  );
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

describe('hourlyCounters', () => {
  it('aggregates by tenant and hour, with one write for each', async () => {
    counters.note('acme', 'duplicates');
    counters.note('acme', 'duplicates', 2);
    counters.note('acme', 'dropped_members', 5);
    counters.note('acme', 'signals_other', 0);
    counters.note('globex', 'duplicates');
    now += 10_000;
    counters.note('acme', 'duplicates');

    await counters.flush();
    await counters.flush();

    expect(added).toEqual([
      ['acme', '2026-05-01T12', { duplicates: 3, dropped_members: 5 }],
      ['globex', '2026-05-01T12', { duplicates: 1 }],
      ['acme', '2026-05-01T13', { duplicates: 1 }],
    ]);
  });

  it('writes at most once in ten seconds', async () => {
    for (let second = 0; second < 30; second += 1) {
      counters.note('acme', 'duplicates');
      await counters.flush();
      now += 1_000;
    }

    expect(added.map(([, , counts]) => counts['duplicates'])).toEqual([1, 4, 6, 10]);
  });

  it('keeps counts in memory while the table is down, and does not throw', async () => {
    counters.note('acme', 'duplicates');
    isDown = true;
    await counters.flush();
    isDown = false;
    now += HOUR;
    counters.note('acme', 'duplicates');

    await counters.flush();

    expect(added).toEqual([
      ['acme', '2026-05-01T12', { duplicates: 1 }],
      ['acme', '2026-05-01T13', { duplicates: 1 }],
    ]);
  });

  it('holds at most 1000 pairs of tenant and hour', async () => {
    for (let index = 0; index < 1_500; index += 1) counters.note(`tenant-${index}`, 'duplicates');

    await counters.flush();

    expect(added).toHaveLength(1_000);
  });
});
