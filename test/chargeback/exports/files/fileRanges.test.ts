import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BATCH_ROWS, fileRanges } from '../../../../functions/chargeback/exports/files/fileRanges.ts';

const NO_SIZES = { header: 0, bytes: [] };

describe('the ranges of files', () => {
  it('start a file at the row limit, and are one file without rows', () => {
    expect(fileRanges(0, { rows: 1_000 }, NO_SIZES)).toEqual([{ from: 0, to: 0 }]);
    expect(fileRanges(1_000, { rows: 1_000 }, NO_SIZES)).toEqual([{ from: 0, to: 1_000 }]);
    expect(fileRanges(1_001, { rows: 1_000 }, NO_SIZES)).toEqual([
      { from: 0, to: 1_000 },
      { from: 1_000, to: 1_001 },
    ]);
  });

  it('hold all rows once, as many batches as the limits allow, and at least one', () => {
    const batches = fc.array(fc.nat({ max: 100 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(batches, fc.integer({ min: 1, max: 4 }), fc.nat({ max: 200 }), (bytes, full, maxBytes) => {
        const rows = bytes.length * BATCH_ROWS - 7;
        const limits = { rows: full * BATCH_ROWS, bytes: maxBytes };
        const sizeOf = (from: number, to: number): number =>
          bytes.slice(from / BATCH_ROWS, Math.ceil(to / BATCH_ROWS)).reduce((sum, size) => sum + size, 10);

        const ranges = fileRanges(rows, limits, { header: 10, bytes });

        expect([ranges[0]?.from, ranges.at(-1)?.to]).toEqual([0, rows]);
        for (const [index, { from, to }] of ranges.entries()) {
          const next = ranges[index + 1];
          expect(next?.from ?? to).toBe(to);
          expect(to - from).toBeLessThanOrEqual(limits.rows);
          if (to - from > BATCH_ROWS) expect(sizeOf(from, to)).toBeLessThanOrEqual(maxBytes);
          if (next === undefined) continue;
          const extended = Math.min(to + BATCH_ROWS, rows);
          expect(extended - from > limits.rows || sizeOf(from, extended) > maxBytes).toBe(true);
        }
      }),
    );
  });
});
