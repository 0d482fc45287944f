import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type SortEntry,
  sortEntryValues,
  sortIndexColumns,
} from '../../../../functions/ledger/records/sortIndex/sortEntry.ts';
import {
  packSortEntries,
  sortEntriesIn,
  unpackSortEntries,
} from '../../../../functions/ledger/records/sortIndex/sortIndexBlock.ts';
import { sha256Of } from '../../../../functions/platform/shared/hash.ts';
import { ulidOf } from '../../../../functions/platform/shared/ulid.ts';
import { eventIdOf } from '../ledgerFixture.ts';

const START = Date.parse('2026-06-01');
const ulidAt = (index: number): string => ulidOf(START + index, sha256Of(eventIdOf(index)));

const anySortEntry: fc.Arbitrary<SortEntry> = fc
  .record({
    index: fc.nat({ max: 1e9 }),
    version: fc.integer({ min: 1, max: 3 }),
    texts: fc.array(fc.option(fc.string({ unit: 'binary' })), {
      minLength: sortIndexColumns.length,
      maxLength: sortIndexColumns.length,
    }),
  })
  .map(({ index, version, texts }) => ({
    ulid: ulidAt(index),
    version,
    values: sortEntryValues((column) => texts[sortIndexColumns.indexOf(column)] ?? null),
  }));

const byKey = (sortEntries: readonly SortEntry[]): SortEntry[] =>
  sortEntries.toSorted((one, other) => {
    const [left, right] = [one, other].map((sortEntry) => JSON.stringify(sortEntry));
    return (left ?? '') < (right ?? '') ? -1 : 1;
  });

describe('packSortEntries', () => {
  it('keeps every sort entry exactly, for any values and versions', () => {
    fc.assert(
      fc.property(fc.array(anySortEntry, { maxLength: 20 }), (sortEntries) => {
        expect(byKey(sortEntriesIn(unpackSortEntries(packSortEntries(sortEntries))))).toEqual(
          byKey(sortEntries),
        );
      }),
    );
  });

  it('packs a sort entry of usual traffic into at most 32 bytes', () => {
    const sortEntries = Array.from({ length: 1_000 }, (_, index): SortEntry => {
      const values: Record<string, string> = {
        cost_usd: `0.00${(index * 7_919) % 100_000}`,
        confidence: '0.95',
        owner: `team-${index % 20}`,
        service: `service-${index % 33}`,
        provider: index % 3 === 0 ? 'openai' : 'anthropic',
        served_model: `model-${index % 5}`,
      };
      return {
        ulid: ulidAt(index * 2_000),
        version: 1,
        values: sortEntryValues((column) => values[column] ?? null),
      };
    });

    expect(packSortEntries(sortEntries).length / sortEntries.length).toBeLessThan(32);
  });

  it('refuses bytes that are not a block', () => {
    expect(() => unpackSortEntries(Uint8Array.from([1, 2, 3]))).toThrow();
  });
});
