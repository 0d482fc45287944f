import { expect, it } from 'vitest';
import { modelledRows, type PageReads } from '../../../bench/ledger/pagesModel.ts';

const page = (sort: string, filter: string, reads: number, readUnits: number): PageReads => ({
  sort,
  filter,
  reads,
  readUnits,
});

const levelOf = (records: number, units: readonly [number, number, number, number, number]) => ({
  records,
  pages: [
    page('-occurred_at', '', 4, units[0]),
    page('-cost_usd', '', 8, units[1]),
    page('-cost_usd', 'owner=a', 8, units[2]),
    page('-cost_usd', 'owner=b', 7, units[3]),
    page('-cost_usd', `occurred_at[gte]=${records}`, 6, units[4]),
  ],
});
const LEVELS = [levelOf(10_000, [10, 100, 110, 90, 60]), levelOf(20_000, [12, 150, 190, 130, 70])];

it('computes the reads of a larger ledger: constant in order of time, and by the bytes of the index otherwise', () => {
  const rows = modelledRows(1_020_000, LEVELS);

  expect(
    rows.map(({ order, filter, 'reads of a page': reads, 'read units': units }) => [
      order,
      filter,
      reads,
      units,
    ]),
  ).toEqual([
    ['time', '', 4, 12],
    // A million records more, at the median of 50 units for 10,000, with 256 units in each query.
    ['cost, confidence', '', 8 + Math.round(5_000 / 256), 5_150],
    ['cost, confidence', 'owner=a', 8 + Math.round(5_000 / 256), 5_190],
    // A period reads its own months.
    ['cost, confidence', 'occurred_at[gte]=20000', 6 + Math.round(1_000 / 256), 1_070],
  ]);
});

it('computes nothing from one measured size', () => {
  expect(modelledRows(30e6, LEVELS.slice(1))).toEqual([]);
});
