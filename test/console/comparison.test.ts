import { describe, expect, it } from 'vitest';
import { changeOf, changeText, isComparable } from '../../console/src/charts/comparison.ts';
import { usageRow } from './usageRow.ts';

const period = { from: '2026-11-10T00:00:00Z', to: '2026-11-17T00:00:00Z', exact: true };
const previousOf = (complete: boolean) => ({
  period,
  totals: usageRow({}),
  undetermined_invocations: 0,
  days_with_calls: 7,
  complete,
});

describe('the comparison with the period before', () => {
  it('needs calls from before it', () => {
    expect(isComparable({ previous: previousOf(true) })).toBe(true);
    expect(isComparable({ previous: previousOf(false) })).toBe(false);
    expect(isComparable({})).toBe(false);
  });

  it.each([
    ['3', { cost_usd: '2' }, 'cost', '+$1.00 (+50\u202f%)'],
    ['1', { energy_wh: '4' }, 'energy', '−3.00\u202fWh (−75\u202f%)'],
    ['1.5', { cost_usd: '2' }, 'cost', '−$0.50 (−25\u202f%)'],
    ['3', { cost_usd: '0' }, 'cost', '+$3.00'],
  ] as const)('of %s with %j in %s is %s', (amount, previous, measure, text) => {
    const change = changeOf(amount, usageRow(previous), measure);
    expect(change && changeText(change, measure)).toBe(text);
  });

  it('is unknown if one of the amounts is', () => {
    expect(changeOf('3', usageRow({ cost_usd: null }), 'cost')).toBeNull();
    expect(changeOf(null, usageRow({}), 'cost')).toBeNull();
    expect(changeOf('3', undefined, 'cost')).toBeNull();
  });
});
