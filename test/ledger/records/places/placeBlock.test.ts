import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Place, placeColumns, placeValues } from '../../../../functions/ledger/records/places/place.ts';
import {
  packPlaces,
  placesIn,
  unpackPlaces,
} from '../../../../functions/ledger/records/places/placeBlock.ts';
import { sha256Of } from '../../../../functions/platform/shared/hash.ts';
import { ulidOf } from '../../../../functions/platform/shared/ulid.ts';
import { eventIdOf } from '../ledgerFixture.ts';

const START = Date.parse('2026-06-01');
const ulidAt = (index: number): string => ulidOf(START + index, sha256Of(eventIdOf(index)));

const anyPlace: fc.Arbitrary<Place> = fc
  .record({
    index: fc.nat({ max: 1e9 }),
    version: fc.integer({ min: 1, max: 3 }),
    texts: fc.array(fc.option(fc.string({ unit: 'binary' })), {
      minLength: placeColumns.length,
      maxLength: placeColumns.length,
    }),
  })
  .map(({ index, version, texts }) => ({
    ulid: ulidAt(index),
    version,
    values: placeValues((column) => texts[placeColumns.indexOf(column)] ?? null),
  }));

const byKey = (places: readonly Place[]): Place[] =>
  places.toSorted((one, other) => {
    const [left, right] = [one, other].map((place) => JSON.stringify(place));
    return (left ?? '') < (right ?? '') ? -1 : 1;
  });

describe('packPlaces', () => {
  it('keeps every place exactly, for any values and versions', () => {
    fc.assert(
      fc.property(fc.array(anyPlace, { maxLength: 20 }), (places) => {
        expect(byKey(placesIn(unpackPlaces(packPlaces(places))))).toEqual(byKey(places));
      }),
    );
  });

  it('packs a place of usual traffic into at most 32 bytes', () => {
    const places = Array.from({ length: 1_000 }, (_, index): Place => {
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
        values: placeValues((column) => values[column] ?? null),
      };
    });

    expect(packPlaces(places).length / places.length).toBeLessThan(32);
  });

  it('refuses bytes that are not a block', () => {
    expect(() => unpackPlaces(Uint8Array.from([1, 2, 3]))).toThrow();
  });
});
