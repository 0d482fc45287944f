import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunksWithin } from '../../../functions/platform/shared/chunksWithin.ts';

const sizes = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 60 });
const limits = fc.record({ items: fc.integer({ min: 1, max: 10 }), size: fc.integer({ min: 0, max: 40 }) });
const sum = (items: readonly number[]): number => items.reduce((total, item) => total + item, 0);

it('keeps all items in order, in chunks within the limits, except an item that is too large alone', () => {
  fc.assert(
    fc.property(sizes, limits, (items, within) => {
      const chunks = chunksWithin(items, within, (item) => item);

      expect(chunks.flat()).toEqual(items);
      for (const chunk of chunks) {
        expect(chunk.length).toBeLessThanOrEqual(within.items);
        expect(chunk.length === 1 || sum(chunk) <= within.size).toBe(true);
      }
    }),
  );
});

it('starts a new chunk only when the next item does not fit', () => {
  fc.assert(
    fc.property(sizes, limits, (items, within) => {
      const chunks = chunksWithin(items, within, (item) => item);

      for (const [index, [next]] of chunks.slice(1).entries()) {
        const before = chunks[index] ?? [];
        expect(before.length === within.items || sum(before) + next > within.size).toBe(true);
      }
    }),
  );
});
