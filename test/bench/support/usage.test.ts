import { expect, it } from 'vitest';
import { callRows, filterUsage, subtractUsage, sumOf, totalWork } from '../../../bench/support/usage.ts';

const usage = (invocations: number, puts: number) => ({
  UnitsIngestFunction0A1B2C3D: {
    invocations,
    cpuMicros: invocations * 1_000,
    activeMicros: invocations * 1_000,
    calls: { 'dynamodb PutItemCommand': { calls: puts, capacity: puts * 2 } },
  },
});

it('subtracts the earlier reading from the later one', () => {
  expect(subtractUsage(usage(10, 5), usage(30, 25))).toEqual(usage(20, 20));
});

it('counts from zero when a function has no earlier reading', () => {
  expect(subtractUsage({}, usage(3, 2))).toEqual(usage(3, 2));
});

it('returns calls and units per event, by function and operation', () => {
  expect(callRows(usage(20, 20), 40)).toEqual([
    { function: 'UnitsIngest', operation: 'dynamodb PutItem', calls: 0.5, units: 1 },
  ]);
});

it('sums over matching functions and operations', () => {
  const used = usage(20, 20);

  expect(sumOf(used, /PutItem/)).toBe(20);
  expect(sumOf(used, /PutItem/, 'capacity')).toBe(40);
  expect(sumOf(filterUsage(used, /^Workers/), /PutItem/)).toBe(0);
  expect(totalWork(used)).toEqual({ invocations: 20, cpuSeconds: 0.02 });
});
