import { describe, expect, it } from 'vitest';
import { changeText } from '../../console/src/charts/comparison.ts';
import { changeSince } from '../../sdk/shared/comparison.ts';
import { usageRow } from './usageRow.ts';

const period = { from: '2026-11-10T00:00:00Z', to: '2026-11-17T00:00:00Z', exact: true };
const reportOf = (complete: boolean) => ({
  previous: { period, totals: usageRow({}), undetermined_invocations: 0, days_with_calls: 7, complete },
});

describe('the comparison with the period before', () => {
  it('needs calls from before it', () => {
    expect(changeSince(reportOf(true), '3', '2')).toEqual({ difference: '1', relative: 0.5 });
    expect(changeSince(reportOf(false), '3', '2')).toBeNull();
    expect(changeSince({}, '3', '2')).toBeNull();
  });

  it.each([
    ['3', '2', 'cost', '+$1.00 (+50\u202f%)'],
    ['1', '4', 'energy', '−3.00\u202fWh (−75\u202f%)'],
    ['1.5', '2', 'cost', '−$0.50 (−25\u202f%)'],
    ['3', '0', 'cost', '+$3.00'],
  ] as const)('of %s with %s in %s is %s', (amount, past, measure, text) => {
    const change = changeSince(reportOf(true), amount, past);
    expect(change && changeText(change, measure)).toBe(text);
  });

  it('is unknown for a group of which all calls can be hidden in one of the periods', () => {
    const hidden = { now: '0.001', before: '0.001' };
    expect(changeSince(reportOf(true), '3', '0', hidden)).toBeNull();
    expect(changeSince(reportOf(true), '0', '2', hidden)).toBeNull();
    expect(changeSince(reportOf(true), '3', '2', hidden)).toEqual({ difference: '1', relative: 0.5 });
  });

  it.each([
    { now: '0.1', before: '0' },
    { now: '0', before: '0.1' },
    { now: null, before: null },
  ])('has no percentage where hidden amounts could change it: %j', (hidden) => {
    expect(changeSince(reportOf(true), '3', '2', hidden)).toEqual({ difference: '1', relative: null });
  });

  it('is unknown if one of the amounts is', () => {
    expect(changeSince(reportOf(true), '3', null)).toBeNull();
    expect(changeSince(reportOf(true), null, '2')).toBeNull();
    expect(changeSince(reportOf(true), '3', undefined)).toBeNull();
  });
});
