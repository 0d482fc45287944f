import { describe, expect, it } from 'vitest';
import { changeOf, isComparable } from '../../console/src/charts/comparison.ts';
import { usageRow } from './usageRow.ts';

const period = { from: '2026-11-10T00:00:00Z', to: '2026-11-17T00:00:00Z', exact: true };
const previousOf = (days: number) => ({
  period,
  totals: usageRow({}),
  undetermined_invocations: 0,
  days_with_calls: days,
});

describe('the comparison with the period before', () => {
  it('needs calls on more than half of its days', () => {
    expect(isComparable({ period, previous: previousOf(4) })).toBe(true);
    expect(isComparable({ period, previous: previousOf(3) })).toBe(false);
    expect(isComparable({ period })).toBe(false);
  });

  it('is relative to a known amount that is not zero', () => {
    expect(changeOf('3', usageRow({ cost_usd: '2' }), 'cost')).toBe(0.5);
    expect(changeOf('1', usageRow({ energy_wh: '4' }), 'energy')).toBe(-0.75);
    expect(changeOf('3', usageRow({ cost_usd: '0' }), 'cost')).toBeNull();
    expect(changeOf('3', usageRow({ cost_usd: null }), 'cost')).toBeNull();
    expect(changeOf(null, usageRow({}), 'cost')).toBeNull();
    expect(changeOf('3', undefined, 'cost')).toBeNull();
  });
});
