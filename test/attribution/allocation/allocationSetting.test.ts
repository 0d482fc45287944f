import { describe, expect, it } from 'vitest';
import { AllocationSetting } from '../../../schemas/attribution/allocation.ts';

const fixed = (...shares: readonly (readonly [string, unknown])[]) => ({
  method: 'fixed',
  fixed: shares.map(([owner, share]) => ({ owner, share })),
});
const issuesOf = (setting: unknown) =>
  AllocationSetting.safeParse(setting).error?.issues.map((issue) => issue.message);

describe('AllocationSetting', () => {
  it.each([
    [{ method: 'proportional' }],
    [{ method: 'even' }],
    [fixed(['a', '1'])],
    [fixed(['a', '0.7'], ['b', '0.3'])],
    [fixed(['a', '0.000000000001'])],
    [fixed(...Array.from({ length: 50 }, (_, index) => [`team-${index}`, '0.02'] as const))],
  ])('accepts %j', (setting) => {
    expect(AllocationSetting.parse(setting)).toEqual(setting);
  });

  it.each([
    ['no method', {}],
    ['an unknown method', { method: 'random' }],
    ['shares with another method', { ...fixed(['a', '1']), method: 'even' }],
    ['no shares', { method: 'fixed' }],
    ['an empty list of shares', fixed()],
    ['a share of 0', fixed(['a', '0.000'])],
    ['a negative share', fixed(['a', '-0.5'])],
    ['a share above 1', fixed(['a', '1.000000000001'])],
    ['a share with more than 12 fractional digits', fixed(['a', '0.0000000000001'])],
    ['a number as share', fixed(['a', 0.5])],
    ['more than 50 owners', fixed(...Array.from({ length: 51 }, (_, i) => [`team-${i}`, '0.01'] as const))],
    ['an owner without a name', fixed(['', '0.5'])],
    ['an unknown member', { method: 'even', weight: '1' }],
  ])('rejects %s', (_, setting) => {
    expect(AllocationSetting.safeParse(setting).success).toBe(false);
  });

  it('rejects shares that sum to 1e-12 more than 1', () => {
    expect(issuesOf(fixed(['a', '0.7'], ['b', '0.300000000001']))).toEqual([
      'must have shares that sum to at most 1',
    ]);
  });

  it('rejects a repeated owner', () => {
    expect(issuesOf(fixed(['a', '0.1'], ['a', '0.2']))).toEqual(['must name each owner once']);
  });
});
