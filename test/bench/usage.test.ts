import { expect, it } from 'vitest';
import { callRows, filterUsage, subtractUsage, sumOf, totalWork } from '../../bench/usage.ts';

const usage = (invocations: number, puts: number) => ({
  UnitsIngestionFunction0A1B2C3D: {
    invocations,
    cpuMicros: invocations * 1_000,
    activeMicros: invocations * 1_000,
    calls: { 'dynamodb PutItemCommand': { calls: puts, capacity: puts * 2 } },
  },
});

it('counts only what happened between two counts', () => {
  expect(subtractUsage(usage(10, 5), usage(30, 25))).toEqual(usage(20, 20));
});

it('counts from nothing what a function did first', () => {
  expect(subtractUsage({}, usage(3, 2))).toEqual(usage(3, 2));
});

it('shows calls and units for one event, by function and operation', () => {
  expect(callRows(usage(20, 20), 40)).toEqual([
    { function: 'UnitsIngestion', operation: 'dynamodb PutItem', calls: 0.5, units: 1 },
  ]);
});

it('sums over the functions and operations that match', () => {
  const used = usage(20, 20);

  expect(sumOf(used, /PutItem/)).toBe(20);
  expect(sumOf(used, /PutItem/, 'capacity')).toBe(40);
  expect(sumOf(filterUsage(used, /^Workers/), /PutItem/)).toBe(0);
  expect(totalWork(used)).toEqual({ invocations: 20, cpuSeconds: 0.02 });
});
