import { describe, expect, it } from 'vitest';
import {
  mergeTotals,
  RowTotalsCounter,
  StoredRowTotals,
} from '../../../../functions/chargeback/exports/aggregation/rowTotals.ts';
import type { Line } from '../../../../functions/chargeback/exports/focus/line.ts';

const ONE = 10n ** 12n;
const LINE: Line = {
  key: {
    start: 0,
    end: 1,
    owner: null,
    service: null,
    ownerState: 'unassigned',
    serviceState: 'confirmed',
    provider: 'openai',
    model: 'gpt-4o',
    servedModel: 'gpt-4o',
    pathway: null,
    region: null,
    requestedModel: null,
    recordId: null,
    invocationId: null,
    price: { meter: 'input', per: 'millions', unit: '1', list: 'list', terms: 'on-demand' },
    consumed: 'Tokens',
    energyMethod: null,
    carbonMethod: null,
    split: null,
    rollup: null,
  },
  amounts: {
    consumed: 10n * ONE,
    priced: ONE,
    cost: 1n,
    energy: 2n * ONE,
    carbon: 3n * ONE,
    confidence: 1,
    records: 1,
  },
};
const requests: Line = {
  key: { ...LINE.key, ownerState: 'confirmed', consumed: 'Requests' },
  amounts: { ...LINE.amounts, consumed: ONE, cost: ONE },
};
const count = (...lines: Line[]): RowTotalsCounter => {
  const counter = new RowTotalsCounter();
  for (const line of lines) counter.add(line);
  return counter;
};

describe('row totals', () => {
  it('are the exact sums of the rows, with the consumed quantities by unit in order of the units', () => {
    const { sum, unassigned, rows, consumed } = count(LINE, requests, LINE);

    expect(rows).toBe(3);
    expect(unassigned).toEqual({
      owner: { records: 2, cost: 2n, energy: 4n * ONE, carbon: 6n * ONE },
      service: { records: 0, cost: 0n, energy: 0n, carbon: 0n },
    });
    expect(sum).toEqual({ records: 3, cost: ONE + 2n, energy: 6n * ONE, carbon: 9n * ONE });
    expect(consumed).toEqual([
      { unit: 'Requests', quantity: '1' },
      { unit: 'Tokens', quantity: '20' },
    ]);
  });

  it('of several steps are those of all their rows, in any order of the steps', () => {
    const steps = [count(LINE), count(requests, LINE), count()];
    const { sum, unassigned, rows, consumed } = count(LINE, requests, LINE);
    const nothing = count();

    expect(mergeTotals(steps)).toEqual({ sum, unassigned, rows, consumed });
    expect(mergeTotals(steps.toReversed())).toEqual({ sum, unassigned, rows, consumed });
    expect(mergeTotals([])).toEqual({
      sum: nothing.sum,
      unassigned: nothing.unassigned,
      rows: 0,
      consumed: [],
    });
  });

  it('are unchanged by storage', () => {
    const { sum, unassigned, rows, consumed } = count(LINE, requests);
    const totals = { sum, unassigned, rows, consumed };

    expect(StoredRowTotals.decode(StoredRowTotals.encode(totals))).toEqual(totals);
  });
});
