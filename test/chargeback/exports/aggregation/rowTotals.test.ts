import { describe, expect, it } from 'vitest';
import {
  mergeTotals,
  StoredRowTotals,
} from '../../../../functions/chargeback/exports/aggregation/rowTotals.ts';
import type { LineKey } from '../../../../functions/chargeback/exports/focus/line.ts';
import { aLine, totalsOf } from '../lines.ts';

const ONE = 10n ** 12n;
const methods = { energyMethod: 'method', carbonMethod: 'method' };
const tokens = aLine({ ...methods, ownerState: 'unassigned' }, { cost: 1n });
const requests = aLine({ ...methods, consumed: 'Requests' }, { consumed: ONE, cost: ONE });

it('keeps lines apart whose keys differ in any member', async () => {
  const { key } = aLine();
  const { price, start, end, ...members } = key;
  const others: Partial<LineKey>[] = [
    { start: start + 1 },
    { end: end + 1 },
    { price: { ...price, unit: '2' } },
    { price: { ...price, listUnit: '2' } },
    { price: { ...price, listUnit: null } },
    ...Object.keys(price)
      .filter((name) => name !== 'unit' && name !== 'listUnit')
      .map((name) => ({ price: { ...price, [name]: 'else' } })),
    ...Object.keys(members).map((name) => ({ [name]: 'else' })),
  ];

  expect((await totalsOf([aLine(), ...others.map((other) => aLine(other))])).rows).toBe(1 + others.length);
});

describe('row totals', () => {
  it('are the exact sums of the rows, with the consumed quantities by unit in order of the units', async () => {
    const { sum, listCost, unassigned, rows, consumed } = await totalsOf([tokens, requests, tokens]);

    expect(rows).toBe(2);
    expect(unassigned).toEqual({
      owner: { records: 2, cost: 2n, energy: 4n * ONE, carbon: 6n * ONE },
      service: { records: 0, cost: 0n, energy: 0n, carbon: 0n },
    });
    expect(listCost).toBe(3n * ONE);
    expect(sum).toEqual({ records: 3, cost: ONE + 2n, energy: 6n * ONE, carbon: 9n * ONE });
    expect(consumed).toEqual([
      { unit: 'Requests', quantity: '1' },
      { unit: 'Tokens', quantity: '20' },
    ]);
  });

  it('of several steps are those of all their rows, in any order of the steps', async () => {
    const steps = [await totalsOf([tokens]), await totalsOf([requests]), await totalsOf([])];
    const whole = await totalsOf([tokens, requests]);

    expect(mergeTotals(steps)).toEqual(whole);
    expect(mergeTotals(steps.toReversed())).toEqual(whole);
    expect(mergeTotals([])).toEqual(await totalsOf([]));
  });

  it('are unchanged by storage', async () => {
    const { consumed, ...totals } = await totalsOf([tokens, requests]);
    const stored = { ...totals, consumed: [...consumed] };

    expect(StoredRowTotals.decode(StoredRowTotals.encode(stored))).toEqual(stored);
  });
});
