import { describe, expect, it } from 'vitest';
import { AllocationSetting } from '../../schemas/attribution/allocation.ts';

const fixed = (...shares: readonly (readonly [string, unknown])[]) => ({
  method: 'fixed',
  fixed: shares.map(([owner, share]) => ({ owner, share })),
});
const issuesOf = (setting: unknown) =>
  AllocationSetting.safeParse(setting).error?.issues.map((issue) => issue.message);

describe('the setting of a tenant', () => {
  it.each([
    [{ method: 'proportional' }],
    [{ method: 'even' }],
    [fixed(['a', '1'])],
    [fixed(['a', '0.7'], ['b', '0.3'])],
    [fixed(['a', '0.000000000001'])],
    [fixed(...Array.from({ length: 50 }, (_, index) => [`team-${index}`, '0.02'] as const))],
  ])('may be %j', (setting) => {
    expect(AllocationSetting.parse(setting)).toEqual(setting);
  });

  it.each([
    ['no method', {}],
    ['a method nobody knows', { method: 'random' }],
    ['shares beside another method', { ...fixed(['a', '1']), method: 'even' }],
    ['no shares', { method: 'fixed' }],
    ['an empty list of shares', fixed()],
    ['a share of nothing', fixed(['a', '0.000'])],
    ['a negative share', fixed(['a', '-0.5'])],
    ['a share beyond the whole', fixed(['a', '1.000000000001'])],
    ['a share finer than a pico', fixed(['a', '0.0000000000001'])],
    ['a number for a share', fixed(['a', 0.5])],
    ['more than 50 owners', fixed(...Array.from({ length: 51 }, (_, i) => [`team-${i}`, '0.01'] as const))],
    ['an owner without a name', fixed(['', '0.5'])],
    ['a member nobody knows', { method: 'even', weight: '1' }],
  ])('is refused with %s', (_, setting) => {
    expect(AllocationSetting.safeParse(setting).success).toBe(false);
  });

  it('is refused where the shares sum to a pico more than 1', () => {
    expect(issuesOf(fixed(['a', '0.7'], ['b', '0.300000000001']))).toEqual([
      'must have shares that sum to at most 1',
    ]);
  });

  it('is refused where an owner stands twice', () => {
    expect(issuesOf(fixed(['a', '0.1'], ['a', '0.2']))).toEqual(['must name each owner once']);
  });
});
