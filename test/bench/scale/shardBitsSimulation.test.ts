import { expect, it } from 'vitest';
import { simulateShardBits } from '../../../bench/scale/shardBitsSimulation.ts';

const LOAD = { tableUnits: 40_000, inFlight: 1_280 };

it('writes every event of a steady tenant within the second', () => {
  const run = simulateShardBits('steady', { ...LOAD, rateAt: () => 100, seconds: 30 });

  expect(run.at(-1)).toMatchObject({ shardBits: 0, backlog: 0, oldest: 0 });
  expect(run.reduce((sum, { written }) => sum + written, 0)).toBeGreaterThan(2_700);
});

it('spreads a tenant over more keys when a key is throttled, until the backlog is written', () => {
  const run = simulateShardBits('step', {
    ...LOAD,
    rateAt: (second) => (second < 5 ? 50 : 5_000),
    seconds: 60,
  });

  expect(Math.max(...run.map(({ highestKey }) => highestKey))).toBe(1_000);
  expect(Math.max(...run.map(({ oldest }) => oldest))).toBeLessThan(30);
  expect(run.at(-1)?.shardBits).toBeGreaterThanOrEqual(4);
  expect(run.at(-1)?.oldest).toBe(0);
});

it('leaves a backlog when the table accepts less than the tenant sends', () => {
  const run = simulateShardBits('cold', { ...LOAD, tableUnits: 1_000, rateAt: () => 2_000, seconds: 20 });

  expect(run.at(-1)?.backlog).toBeGreaterThan(15_000);
});
