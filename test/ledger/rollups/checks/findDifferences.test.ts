import { expect, it } from 'vitest';
import { differenceFinder } from '../../../../functions/ledger/rollups/checks/findDifferences.ts';
import { DAY_MS, HOUR_MS } from '../../../../schemas/durations.ts';
import { newTenant } from '../../../support/tenants.ts';

const DAY = Date.parse('2026-05-20');

it('reads once for all hours of a day what they share, and compares the day once', async () => {
  const reads: string[] = [];
  const find = differenceFinder({
    ledger: {
      months: async () => {
        reads.push('months');
        return [];
      },
      read: () => {
        throw new Error('the tenant has no months');
      },
    },
    rollups: {
      readHeads: async (_, { grain }) => {
        reads.push(`${grain} sums`);
        return [];
      },
      openPeriods: async () => {
        reads.push('open periods');
        return [];
      },
    },
    watchedTags: async () => {
      reads.push('tags');
      return new Set();
    },
    clock: () => DAY + 2 * DAY_MS,
  })(newTenant());

  for (let from = DAY; from < DAY + DAY_MS; from += HOUR_MS)
    expect(await find({ from, to: from + HOUR_MS }, () => true)).toEqual({
      differing: [],
      untagged: [],
      left: [],
    });

  const counts = [...Map.groupBy(reads, (read) => read)].map(([read, all]) => [read, all.length]);
  expect(Object.fromEntries(counts)).toEqual({
    months: 1,
    tags: 1,
    'open periods': 1,
    'day sums': 1,
    // Each hour is compared, and all of them with the day.
    'hour sums': 25,
    // Of each hour, for its ledger and for its own sum.
    'minute sums': 48,
  });
});
