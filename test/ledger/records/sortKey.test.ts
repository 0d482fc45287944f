import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import {
  keyComparator,
  sortKeyOf,
  versionInSortKey,
} from '../../../functions/ledger/records/query/sortKey.ts';
import { Big } from '../../../functions/platform/shared/decimal.ts';
import { ulidInId } from '../../../functions/platform/shared/ids.ts';
import { anEvent, aTenant, noFactors } from '../../attribution/engine/events.ts';

const decimals = fc.oneof(
  fc.constantFrom(
    '0',
    '0.1',
    '0.10',
    '0.100000000001',
    '1',
    '9',
    '10',
    '99.5',
    '100',
    '999999999999999999.999999999999',
  ),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }))
    .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(12, '0')}`),
  fc.integer({ min: 0, max: 2_000 }).map((thousandths) => String(thousandths / 1_000)),
);
const { record } = attribute(
  anEvent(),
  { occurredAt: 7, receivedAt: 7, residency: null },
  aTenant(),
  noFactors,
);
const ulid = ulidInId(record.id);
const sortKeyWith = (cost_usd: string | null) => sortKeyOf({ ...record, cost_usd }, ulid, 'cost_usd');

describe('sortKeyOf', () => {
  it('sorts like the numbers', () => {
    fc.assert(
      fc.property(decimals, decimals, (one, other) => {
        const [left, right] = [sortKeyWith(one), sortKeyWith(other)];

        expect(left < right ? -1 : left > right ? 1 : 0).toBe(Big(one).cmp(other));
      }),
      { numRuns: 2_000 },
    );
  });

  it('contains the record and its version', () => {
    const keys = [sortKeyWith('999999999999999999'), sortKeyWith(null)];

    expect(keys.map(versionInSortKey)).toEqual([
      { ulid, version: 1 },
      { ulid, version: 1 },
    ]);
  });
});

it.each([
  [false, ['0', '0.5', '10', null]],
  [true, ['10', '0.5', '0', null]],
])('keyComparator sorts unknown values last, descending: %s', (descending, expected) => {
  const costs = ['10', null, '0', '0.5'];

  const sorted = costs.toSorted((one, other) =>
    keyComparator(descending)(sortKeyWith(one), sortKeyWith(other)),
  );

  expect(sorted).toEqual(expected);
});
