import { expect, it } from 'vitest';
import { loadFactors } from '../../../../functions/impact/factors.ts';
import { assessImpact } from '../../../../functions/impact/impact.ts';
import file from '../../../../functions/impact/price/lists/priceList.json' with { type: 'json' };
import { HIGHEST_TOKEN_PRICE } from '../../../../functions/impact/price/plausibleCost.ts';
import { tokenKinds } from '../../../../functions/impact/price/priceSheet.ts';
import { decimal } from '../../../../functions/platform/shared/decimal.ts';
import { PriceListFile } from '../../../../tools/prices/priceListFile.ts';
import { readPriceTable } from '../../../../tools/prices/priceTable.ts';
import { call } from '../../calls.ts';

const factors = await loadFactors();
const { lists, completions, disagreements } = PriceListFile.parse(file);
const DAY = new Date('2026-11-20T12:00:00Z');

it('lists no token dearer than that of the dearest model', () => {
  const impossible = [...lists, ...completions, ...disagreements].flatMap(({ provider, models }) =>
    Object.entries(models).flatMap(([model, prices]) =>
      [prices].flat().flatMap((price) => {
        const stated = Object.entries(price).filter(([kind]) => tokenKinds.some((known) => known === kind));
        return stated.some(([, usd]) => decimal(String(usd)).gt(HIGHEST_TOKEN_PRICE))
          ? [`${provider} ${model}`]
          : [];
      }),
    ),
  );

  expect(impossible).toEqual([]);
});

it('reads no model of a table that takes the price of 100,000 tokens for that of one', () => {
  const model = { litellm_provider: 'wandb', mode: 'chat', input_cost_per_token: 0.055 };
  const table = {
    'wandb/wrong': { ...model, output_cost_per_token: 0.165 },
    'wandb/right': { ...model, input_cost_per_token: 5.5e-7, output_cost_per_token: 1.65e-6 },
  };

  expect(readPriceTable(JSON.stringify(table), { day: '2026-07-24' })).toMatchObject([{ model: 'right' }]);
});

it.each([
  ['siliconflow', 'google/gemma-4-31b-it'],
  ['together', 'google/gemma-3-27b-it'],
])('has no cost of a model at %s that only its vendor gives away: %s', (provider, requested_model) => {
  const event = call({ provider, requested_model, input_tokens: 10_000, output_tokens: 1_000 });

  expect(assessImpact(event, DAY, factors).cost).toBeNull();
});

it('has the cost 0 where the provider of the call gives the model away', () => {
  const event = call({ provider: 'google', requested_model: 'gemma-3-27b-it', input_tokens: 10_000 });

  expect(assessImpact(event, DAY, factors).cost).toMatchObject({ low: '0', high: '0' });
});
