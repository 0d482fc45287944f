import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  billedSeconds,
  type Consumption,
  costRows,
  totalOf,
  WAIT_SECONDS,
} from '../../../bench/cost/costModel.ts';

const noConsumption: Consumption = {
  httpRequests: 0,
  functions: [],
  writeUnits: 0,
  indexWriteUnits: 0,
  readUnits: 0,
  sqsRequests: 0,
  kmsRequests: 0,
  logBytes: 0,
  bytesOut: 0,
};

it.each([
  [{ httpRequests: 1 }, 1],
  [{ writeUnits: 2 }, 1.25],
  [{ readUnits: 4 }, 0.5],
  [{ sqsRequests: 1.2 }, 0.48],
  [{ logBytes: 200 }, 0.1],
  [{ kmsRequests: 0.001 }, 0.003],
])('prices %o per event at USD %d per million events', (counted, usd) => {
  expect(totalOf(costRows({ ...noConsumption, ...counted }))).toBeCloseTo(usd, 9);
});

const halfCore = { name: 'f', memoryMegabytes: 884.5, invocations: 1, cpuSeconds: 0.01, waits: 2 };

it('bills CPU time at the core share of the memory, and waits in full', () => {
  expect(billedSeconds(halfCore)).toBeCloseTo(0.02 + 2 * WAIT_SECONDS, 9);
  expect(billedSeconds({ ...halfCore, memoryMegabytes: 3_538 })).toBeCloseTo(0.01 + 2 * WAIT_SECONDS, 9);
});

it('rounds the duration of each invocation up to the next millisecond', () => {
  const short = { ...halfCore, memoryMegabytes: 1_769, cpuSeconds: 0.0001, waits: 0 };

  expect(billedSeconds(short)).toBeCloseTo(0.001, 9);
  expect(billedSeconds({ ...short, invocations: 0.1 })).toBeCloseTo(0.0001, 9);
  expect(billedSeconds({ ...short, invocations: 0, cpuSeconds: 0 })).toBe(0);
});

it('prices the requests and the gigabyte-seconds of a function', () => {
  const functions = [{ ...halfCore, memoryMegabytes: 1_024, cpuSeconds: 0, waits: 2 }];

  expect(totalOf(costRows({ ...noConsumption, functions }))).toBeCloseTo(0.2 + 0.01 * 13.3334, 9);
});

it('lists index writes and data out, but excludes them from the total', () => {
  const rows = costRows({ ...noConsumption, writeUnits: 1, indexWriteUnits: 1, bytesOut: 700 });

  const excluded = rows.filter(({ item }) => item.endsWith('not in the total')).map(({ usd }) => usd);
  expect(excluded).toEqual([expect.closeTo(0.063, 9), expect.closeTo(0.625, 9)]);
  expect(totalOf(rows)).toBeCloseTo(0.625, 9);
});

it('doubles the cost when consumption doubles', () => {
  const counted = fc.record({
    httpRequests: fc.double({ min: 0, max: 1, noNaN: true }),
    writeUnits: fc.double({ min: 0, max: 10, noNaN: true }),
    sqsRequests: fc.double({ min: 0, max: 3, noNaN: true }),
  });

  fc.assert(
    fc.property(counted, (once) => {
      const twice = Object.fromEntries(Object.entries(once).map(([name, value]) => [name, 2 * value]));
      const total = totalOf(costRows({ ...noConsumption, ...once }));

      expect(totalOf(costRows({ ...noConsumption, ...twice }))).toBeCloseTo(2 * total, 9);
    }),
  );
});
