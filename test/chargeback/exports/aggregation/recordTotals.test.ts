import { describe, expect, it } from 'vitest';
import {
  addRecordTotals,
  isEqual,
  recordTotalsOf,
  StoredRecordTotals,
  toExportSums,
  zeroTotals,
} from '../../../../functions/chargeback/exports/aggregation/recordTotals.ts';

const one = recordTotalsOf({ cost_usd: '1.5', energy_wh: '20', carbon_gco2e: '0.000000000003' });
const other = recordTotalsOf({ cost_usd: '0.25', energy_wh: '7', carbon_gco2e: '4' });

describe('the totals of records', () => {
  it('add each quantity exactly and count the records', () => {
    expect(toExportSums(addRecordTotals(one, other))).toEqual({
      records: 2,
      cost_usd: '1.75',
      energy_wh: '27',
      carbon_gco2e: '4.000000000003',
    });
  });

  it('count a record of unknown quantities, which are in no sum', () => {
    const unknown = recordTotalsOf({ cost_usd: null, energy_wh: null, carbon_gco2e: null });

    expect(toExportSums(addRecordTotals(one, unknown))).toEqual({ ...toExportSums(one), records: 2 });
  });

  it('are equal only when the records and each quantity are equal', () => {
    expect(isEqual(one, { ...one })).toBe(true);
    expect(isEqual(addRecordTotals(zeroTotals, one), one)).toBe(true);
    for (const change of [{ records: 2 }, { cost: 1n }, { energy: 1n }, { carbon: 1n }]) {
      expect(isEqual(one, { ...one, ...change })).toBe(false);
    }
  });

  it('are the same after they were stored', () => {
    const totals = addRecordTotals(one, other);
    const stored = StoredRecordTotals.encode(totals);

    expect(StoredRecordTotals.decode(stored)).toEqual(totals);
    expect(() => StoredRecordTotals.parse({ ...stored, cost_usd: 'free' })).toThrow();
  });
});
