import { describe, expect, it } from 'vitest';
import { readChanges } from '../../../functions/insight/reports/changes/readChanges.ts';
import { readSavings } from '../../../functions/insight/savings/readSavings.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import type { ContractPrices } from '../../../schemas/attribution/contractPrices.ts';
import { PriceObject } from '../../../schemas/attribution/loadedPrices.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { getUnitCostsReport } from '../../../schemas/routes/insight/unitCosts.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { type Call, rollupReaderOf, team } from './calls.ts';
import { type PriceReaders, pricesOfTenant, publishedPrices } from './prices.ts';
import { ask, NOW, TODAY, tenantWith, useReports, whilePriced } from './reportsHarness.ts';

useReports();

/** From 12 May on. By the list, gpt-4.1 costs $2, $0.50 if cached, and $8. */
const PRICE = { input: '1', cached_input: '0.9', output: '2' };
const FROM = '2026-05-12T00:00:00Z';
const contract: ContractPrices = [{ provider: 'openai', model: 'gpt-4.1', from: FROM, ...PRICE }];
const loaded = PriceObject.parse({
  loads: [
    {
      version: 'loaded-2026-05-12-0123456789ab',
      loaded_at: FROM,
      prices: {
        lists: [
          {
            provider: 'openai',
            source: 'https://example.com/prices',
            checked: '2026-05-12',
            models: { 'gpt-4.1': [{ from: '2026-05-12', ...PRICE }] },
          },
        ],
      },
    },
  ],
});

/** 120 calls a day for four days: 9,000 tokens each, of which 1,000 are cached, and 500 of output. At `PRICE` from 12 May on. */
const calls: Call[] = [3, 2, 1, 0].flatMap((day) =>
  team('ads', 6).map(
    (person): Call => ({
      at: TODAY - day * LENGTH.day + 9 * LENGTH.hour,
      person,
      owner: 'ads',
      service: 'chat',
      provider: 'openai',
      model: 'gpt-4.1',
      invocations: 20,
      cost: day === 3 ? '0.41' : '0.198',
      tokens: { input_tokens: 180_000, cached_input_tokens: 20_000, output_tokens: 10_000 },
    }),
  ),
);

const callerWith = (scopes: readonly Scope[]) => ({
  tenant: aTenant(),
  residency: null,
  scopes: new Set(scopes),
});
const reader = callerWith(['read:reporting', 'read:attribution']);
const viewer = callerWith(['read:reporting']);

const storesWith = (prices: PriceReaders) => ({
  ...prices,
  rollups: rollupReaderOf(calls),
  indexLag: { totalsLag: async () => ({ isStale: false, incompleteSince: null }) },
  dismissals: { list: async () => [] },
  nodeHourLines: { list: async () => [] },
});

const cachingOf = async (prices: PriceReaders, caller = reader) => {
  const { rows } = await readSavings(storesWith(prices), caller, { from: FROM }, NOW);
  return rows.find(({ saving }) => saving === 'prompt_caching');
};
const changesOf = async (prices: PriceReaders, caller = reader) => {
  const query = { from: FROM, previous_from: '2026-05-11T00:00:00Z', previous_to: FROM };
  return (await readChanges(storesWith(prices), caller, query, NOW)).envelope;
};
const outputOf = (prices: PriceReaders, scopes: readonly Scope[]) =>
  whilePriced(prices, async () => {
    const { body } = await ask('unitCosts', await tenantWith(calls), { from: FROM }, null, scopes);
    return getUnitCostsReport.replies[200].body.parse(body).totals.token_costs.output.usd_per_million;
  });

const OWN = [
  ['of a contract', pricesOfTenant(contract)],
  ['loaded by an operator', pricesOfTenant([], loaded)],
] as const;

describe.each(OWN)('with prices %s', (_name, prices) => {
  it('computes savings at the prices of the costs', async () => {
    const saving = await cachingOf(prices);

    // Half of 3,240,000 tokens in calls of at least 1,024, without the 360,000 that are cached, for $0.10 a million less.
    const more = (3_240_000 - 360 * 1_024) / 2 - 360_000;
    expect(saving?.basis).toMatchObject({
      more_cached_tokens: String(more),
      input_usd_per_million: '1',
      cached_usd_per_million: '0.9',
      paid_of_list: '1',
    });
    const days = (NOW - Date.parse(FROM)) / LENGTH.day;
    expect(Number(saving?.high_usd)).toBeCloseTo(((more * 0.1) / 1e6) * (30 / days), 9);
  });

  it('reports when such a price applies from', async () => {
    const { price_changes: changes } = await changesOf(prices);

    expect(changes).toEqual([
      {
        at: '2026-05-12T00:00:00.000Z',
        provider: 'openai',
        served_model: 'gpt-4.1',
        before: { uncached_input: '2', cached_input: '0.5', cache_write: '2', output: '8' },
        now: { uncached_input: '1', cached_input: '0.9', cache_write: '1', output: '2' },
      },
    ]);
  });

  it('divides the cost of tokens at these prices', async () => {
    expect(await outputOf(prices, ['read:reporting', 'read:attribution'])).toBe('2');
  });
});

it('tells a caller who may not read records nothing of the prices of a contract', async () => {
  const [{ price_changes: changes }, saving, output] = await Promise.all([
    changesOf(pricesOfTenant(contract), viewer),
    cachingOf(pricesOfTenant(contract), viewer),
    outputOf(pricesOfTenant(contract), ['read:reporting']),
  ]);

  expect(changes).toEqual([]);
  expect(saving).toEqual(await cachingOf(publishedPrices, viewer));
  expect(saving?.basis).toMatchObject({ input_usd_per_million: '2', cached_usd_per_million: '0.5' });
  expect(output).not.toBe('2');
});

it('tells a caller who may not read records of prices that an operator loaded: they are published', async () => {
  const { price_changes: changes } = await changesOf(pricesOfTenant([], loaded), viewer);

  expect(changes).toHaveLength(1);
});
