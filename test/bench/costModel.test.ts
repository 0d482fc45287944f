import { expect, it } from 'vitest';
import { billedSeconds, type Consumption, costRows, totalOf, WAIT_SECONDS } from '../../bench/costModel.ts';

const nothing: Consumption = {
  httpRequests: 0,
  functions: [],
  writeUnits: 0,
  indexWriteUnits: 0,
  readUnits: 0,
  sqsRequests: 0,
  kmsRequests: 0,
  logBytes: 0,
};

it.each([
  [{ httpRequests: 1 }, 1],
  [{ writeUnits: 2 }, 1.25],
  [{ readUnits: 4 }, 0.5],
  [{ sqsRequests: 1.2 }, 0.48],
  [{ logBytes: 150 }, 0.075],
  [{ kmsRequests: 0.001 }, 0.003],
])('prices %o for a million events at USD %d', (counted, usd) => {
  expect(totalOf(costRows({ ...nothing, ...counted }))).toBeCloseTo(usd, 9);
});

it('bills CPU time at the share of a core the memory buys, and every wait in full', () => {
  const halfCore = { name: 'f', memoryMegabytes: 884.5, invocations: 1, cpuSeconds: 0.01, waits: 2 };

  expect(billedSeconds(halfCore)).toBeCloseTo(0.02 + 2 * WAIT_SECONDS, 9);
  expect(billedSeconds({ ...halfCore, memoryMegabytes: 3_538 })).toBeCloseTo(0.01 + 2 * WAIT_SECONDS, 9);
});

it('shows index writes and leaves them out of the total', () => {
  const rows = costRows({ ...nothing, writeUnits: 1, indexWriteUnits: 1 });

  expect(rows.find(({ item }) => item === 'Index writes')?.usd).toBeCloseTo(0.625, 9);
  expect(totalOf(rows)).toBeCloseTo(0.625, 9);
});
