import { expect, it } from 'vitest';
import { unitCostLines } from '../../console/src/pages/explore/unitCostRows.ts';
import { UnitCostRow, UnitCosts } from '../../schemas/insight/unitCosts.ts';

const tokens = (count: number, cost: string, perMillion: string | null) => ({
  tokens: count,
  cost_usd: cost,
  usd_per_million: perMillion,
});

const figures = {
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
  suppressed_groups: 0,
};
const unknown = {
  ...figures,
  cost_usd: null,
  cost_per_invocation_usd: null,
  person_costs: { persons: 0, persons_estimated: false, low_usd: null, high_usd: null },
  token_costs: { ...figures.token_costs, uncached_input: tokens(0, '0', null) },
  cache: { share: null, saving_usd: null },
};

it('shows what a unit of each group costs, after all calls, in order of cost, and nothing for what is unknown', () => {
  const lines = unitCostLines(
    {
      totals: UnitCosts.parse(figures),
      data: [
        UnitCostRow.parse({ kind: 'folded', ...unknown }),
        UnitCostRow.parse({ kind: 'group', owner: 'ads', ...figures }),
      ],
    },
    ['owner'],
  );

  expect(lines.map(({ name }) => name)).toEqual(['All calls', 'ads', 'Hidden: fewer than 5 people']);
  expect(lines[1]).toMatchObject({
    call: '$0.30',
    person: '$0.50 – $0.60',
    input: '$2.00',
    cachedInput: '$0.50',
    output: '$9.00',
    cacheShare: '17\u202f%',
    cacheSaving: '−$0.30',
  });
  expect(lines[2]).toMatchObject({
    call: null,
    person: null,
    input: null,
    cacheShare: null,
    cacheSaving: null,
  });
});
