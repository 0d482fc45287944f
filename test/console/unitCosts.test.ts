import { expect, it } from 'vitest';
import { unitCostLines } from '../../console/src/pages/explore/unitCosts/unitCostRows.ts';
import type { UnitCostRow, UnitCosts } from '../../sdk/typescript/src/types.ts';

const tokens = (count: number, cost: string, perMillion: string | null) => ({
  tokens: count,
  cost_usd: cost,
  usd_per_million: perMillion,
});

const amounts = (cost: string | null) => ({ cost_usd: cost, cost_usd_low: cost, cost_usd_high: cost });

const figures: UnitCosts = {
  invocations: 10,
  invocations_maximum: 10,
  cost_usd: '3',
  unpriced_invocations: 0,
  cost_per_invocation_usd: '0.3',
  person_costs: { persons: 5, persons_estimated: false, low_usd: '0.5', high_usd: '0.6' },
  token_costs: {
    uncached_input: tokens(1_000_000, '2', '2'),
    cached_input: tokens(200_000, '0.1', '0.5'),
    cache_write: tokens(0, '0', null),
    output: tokens(100_000, '0.9', '9'),
    undivided_usd: '0',
  },
  cache: { share: '0.166666666667', saving_usd: '-0.3' },
  outcomes: {
    error: { invocations: 2, paid_invocations: 1, unpriced_invocations: 0, ...amounts('0.25') },
    incomplete: { invocations: 0, paid_invocations: 0, unpriced_invocations: 0, ...amounts('0') },
    unexamined_invocations: 0,
  },
  suppressed_groups: 0,
};
const unknown: UnitCosts = {
  ...figures,
  cost_usd: null,
  unpriced_invocations: 10,
  cost_per_invocation_usd: null,
  person_costs: { persons: 0, persons_estimated: false, low_usd: null, high_usd: null },
  token_costs: { ...figures.token_costs, uncached_input: tokens(0, '0', null) },
  cache: { share: null, saving_usd: null },
  outcomes: {
    error: { invocations: 2, paid_invocations: 0, unpriced_invocations: 2, ...amounts(null) },
    incomplete: { invocations: null, paid_invocations: null, unpriced_invocations: 0, ...amounts(null) },
    unexamined_invocations: 10,
  },
};

it('shows what a unit of each group costs, after all calls, in order of cost, and nothing for what is unknown', () => {
  const rows: UnitCostRow[] = [
    { kind: 'folded', ...unknown },
    { kind: 'group', owner: 'ads', ...figures },
  ];
  const lines = unitCostLines(
    {
      totals: figures,
      data: rows,
    },
    ['owner'],
  );

  expect(lines.map(({ name }) => name)).toEqual(['All calls', 'ads', 'Hidden: fewer than 5 people']);
  expect(lines[1]).toMatchObject({
    call: { text: '$0.3000' },
    isPartlyUnknown: false,
    person: { text: '$0.50 – $0.60' },
    input: { text: '$2.00' },
    cachedInput: { text: '$0.50' },
    output: { text: '$9.00' },
    cacheShare: { text: '17\u202f%' },
    cacheSaving: { text: '−$0.30' },
    failed: { text: '$0.25', count: '2 calls' },
    incomplete: { text: 'none' },
  });
  expect(lines[2]).toMatchObject({
    isPartlyUnknown: true,
    call: null,
    person: null,
    input: null,
    cacheShare: null,
    cacheSaving: null,
    failed: null,
    incomplete: null,
  });
});
