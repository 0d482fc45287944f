import { expect, it } from 'vitest';
import {
  DAYS_WATCHED,
  hoursToDivide,
} from '../../../../functions/attribution/allocation/nodeHours/createDueNodeHours.ts';
import { NodePools } from '../../../../schemas/attribution/nodePools.ts';

const NOW = Date.parse('2026-11-20T10:04:59Z');
const HOUR = 3_600_000;
const poolsFrom = (...rates: readonly (readonly [from: string, nodes: number])[]) =>
  NodePools.parse([
    {
      name: 'gpu',
      serves: [{ provider: 'vllm', model: '*' }],
      rates: rates.map(([from, nodes]) => ({ from, nodes, node_hour_usd: '2' })),
    },
  ]);
const isoOf = ({ from }: { readonly from: number }) => new Date(from).toISOString();

it('divides the hours that have been over for five minutes, while nodes run', () => {
  const pools = poolsFrom(
    ['2026-11-20T06:00:00Z', 1],
    ['2026-11-20T08:00:00Z', 0],
    ['2026-11-20T09:00:00Z', 2],
  );

  expect(hoursToDivide(pools, NOW).map(isoOf)).toEqual([
    '2026-11-20T06:00:00.000Z',
    '2026-11-20T07:00:00.000Z',
  ]);
  expect(hoursToDivide(pools, NOW + 1_000).map(isoOf)).toContain('2026-11-20T09:00:00.000Z');
});

it('watches hours for some weeks, and none without pools', () => {
  const hours = hoursToDivide(poolsFrom(['2020-01-01T00:00:00Z', 1]), NOW);

  expect(hours).toHaveLength(DAYS_WATCHED * 24);
  expect(hours.every(({ from, to }) => to - from === HOUR)).toBe(true);
  expect(hoursToDivide([], NOW)).toEqual([]);
});
