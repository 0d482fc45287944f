import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribute } from '../../functions/attribution/attribute.ts';
import {
  behind,
  inOrder,
  KNOWN,
  orderly,
  placeOf,
  UNKNOWNS,
  ulidAt,
} from '../../functions/ledger/query/sortPlace.ts';
import { Big } from '../../functions/shared/decimal.ts';
import { ulidInId } from '../../functions/shared/ids.ts';
import { anEvent, aTenant, noFactors } from '../attribution/events.ts';

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
const placeWith = (cost_usd: string | null) => placeOf({ ...record, cost_usd }, ulid, 'cost_usd');

describe('the place of a value', () => {
  it('sorts as the number does', () => {
    fc.assert(
      fc.property(decimals, decimals, (one, other) => {
        const [left, right] = [placeWith(one), placeWith(other)];

        expect(left < right ? -1 : left > right ? 1 : 0).toBe(Big(one).cmp(other));
      }),
      { numRuns: 2_000 },
    );
  });

  it('lies between its value and just behind it, and no other does', () => {
    fc.assert(
      fc.property(decimals, decimals, (one, other) => {
        const place = placeWith(other);

        expect(place > orderly(one) && place < behind(one)).toBe(Big(one).eq(other));
      }),
      { numRuns: 2_000 },
    );
  });

  it('tells whose it is, and whether it is known', () => {
    const [known, unknown] = [placeWith('999999999999999999'), placeWith(null)];

    expect([ulidAt(known), ulidAt(unknown)]).toEqual([ulid, ulid]);
    expect(known > KNOWN.from && known < KNOWN.to).toBe(true);
    expect(unknown > UNKNOWNS.from && unknown < UNKNOWNS.to && unknown > KNOWN.to).toBe(true);
  });
});

it.each([
  [false, ['0', '0.5', '10', null]],
  [true, ['10', '0.5', '0', null]],
])('what is unknown comes last, descending: %s', (descending, expected) => {
  const costs = ['10', null, '0', '0.5'];

  const sorted = costs.toSorted((one, other) => inOrder(descending)(placeWith(one), placeWith(other)));

  expect(sorted).toEqual(expected);
});
