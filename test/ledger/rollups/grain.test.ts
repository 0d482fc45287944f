import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LENGTH, splitIntoRollupRanges, startOf } from '../../../functions/ledger/rollups/grain.ts';

const MINUTE = LENGTH.minute;
const NEW_YEAR = Date.parse('2026-01-01T00:00:00Z');
const minutes = fc.integer({ min: 0, max: 80 * 24 * 60 });
const at = (minute: number): number => NEW_YEAR + minute * MINUTE;

it('covers any period with whole rollups, without gaps or overlaps', () => {
  fc.assert(
    fc.property(minutes, minutes, fc.constantFrom('day', 'hour', 'minute'), (one, other, coarsest) => {
      const [from, to] = [at(Math.min(one, other)), at(Math.max(one, other))];

      const ranges = splitIntoRollupRanges(from, to, coarsest);

      let reached = from;
      for (const range of ranges) {
        if (range.from === range.to) continue;
        expect(range.from).toBe(reached);
        expect(startOf(range.grain, range.from)).toBe(range.from);
        expect(startOf(range.grain, range.to)).toBe(range.to);
        reached = range.to;
      }
      expect(reached).toBe(to);
    }),
  );
});

it('uses fine rollups only at the edges of a period of any length', () => {
  fc.assert(
    fc.property(minutes, minutes, (one, other) => {
      const ranges = splitIntoRollupRanges(at(Math.min(one, other)), at(Math.max(one, other)));

      const count = (grain: string) =>
        ranges
          .filter((range) => range.grain === grain)
          .reduce((sum, { from, to, grain: of }) => sum + (to - from) / LENGTH[of], 0);
      expect(count('minute')).toBeLessThanOrEqual(2 * 59);
      expect(count('hour')).toBeLessThanOrEqual(2 * 23);
    }),
  );
});

it.each([
  ['an empty period', NEW_YEAR, NEW_YEAR],
  ['a period that ends before it starts', NEW_YEAR + MINUTE, NEW_YEAR],
])('returns no ranges for %s', (_, from, to) => {
  expect(splitIntoRollupRanges(from, to)).toEqual([]);
});
