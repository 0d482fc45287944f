import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isVisibleAt, type Validity } from '../../../../functions/ledger/records/query/visibility.ts';

it.each([
  ['the only version, whenever it was written', { version: 1, from: 900, to: null }, true],
  ['a first version closed later', { version: 1, from: 100, to: 501 }, true],
  ['a first version closed at that instant', { version: 1, from: 100, to: 500 }, false],
  ['a later version from that instant', { version: 2, from: 500, to: null }, true],
  ['a later version that began after it', { version: 2, from: 501, to: null }, false],
  ['a later version closed before it', { version: 2, from: 300, to: 400 }, false],
])('isVisibleAt, for %s', (_, validity: Validity, expected) => {
  expect(isVisibleAt(validity, 500)).toBe(expected);
});

it('isVisibleAt returns true for exactly one version of a record at any instant', () => {
  const histories = fc
    .uniqueArray(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 6 })
    .map((instants) =>
      instants
        .toSorted((one, other) => one - other)
        .map((from, index, all): Validity => ({ version: index + 1, from, to: all[index + 1] ?? null })),
    );

  fc.assert(
    fc.property(histories, fc.nat({ max: 1_200 }), (versions, asOf) => {
      expect(versions.filter((version) => isVisibleAt(version, asOf))).toHaveLength(1);
    }),
  );
});
