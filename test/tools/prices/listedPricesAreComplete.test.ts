import * as library from '@pydantic/genai-prices';
import { expect, it } from 'vitest';
import { loadFactors } from '../../../functions/impact/factors.ts';
import { assessImpact } from '../../../functions/impact/impact.ts';
import { isSold } from '../../../functions/impact/price/catalogue.ts';
import { cataloguePricesOf } from '../../../functions/impact/price/lists/cataloguePrices.ts';
import file from '../../../functions/impact/price/lists/priceList.json' with { type: 'json' };
import { decimal } from '../../../functions/platform/shared/decimal.ts';
import type { PriceList } from '../../../schemas/attribution/publishedPrices.ts';
import { comparePrice } from '../../../tools/prices/comparePrices.ts';
import { PriceListFile } from '../../../tools/prices/priceListFile.ts';
import type { TablePrice } from '../../../tools/prices/tables/tablePrice.ts';
import { call } from '../../impact/calls.ts';

const factors = await loadFactors();
const { prices } = factors;
const { lists, completions, disagreements } = PriceListFile.parse(file);

interface DatedTablePrice {
  readonly table: TablePrice;
  readonly day: Date;
}

const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** The newest price of each model of a list, as a table of that day. */
const tablesOf = (list: PriceList): DatedTablePrice[] =>
  Object.entries(list.models).flatMap(([model, listed]) => {
    const {
      from: _from,
      ended,
      ...price
    } = Array.isArray(listed)
      ? (listed.at(-1) ?? { from: '', ended: true })
      : { from: '', ended: false, ...listed };
    if (ended === true) return [];
    return (list.regions ?? [null]).map((region) => ({
      table: { provider: list.provider, model, region, price },
      day: startOf(list.checked),
    }));
  });

const PROVIDERS = [...new Set(lists.map(({ provider }) => provider))];

/** The models of the catalogue, on days of all its seasons. */
const DAYS = ['2026-02-01', '2026-07-15', '2026-08-01', '2026-08-22', '2026-11-20'];
const catalogueTables = PROVIDERS.flatMap((id) => {
  const provider = library.findProvider({ providerId: id });
  if (provider?.id !== id) return [];
  return provider.models.flatMap((model) =>
    DAYS.map(startOf).flatMap((day): DatedTablePrice[] => {
      const found = library.calcPrice({}, model.id, { providerId: id, timestamp: day });
      if (found === null || found.model.id !== model.id || !isSold(id, model.id)) return [];
      const price = cataloguePricesOf(id, found.model_price);
      if ((price.input ?? price.output) === undefined) return [];
      return [{ table: { provider: id, model: model.id.toLowerCase(), region: null, price }, day }];
    }),
  );
});

const flatter = (tables: readonly DatedTablePrice[]): string[] =>
  tables.flatMap(({ table, day }) =>
    ['richer', 'unknown'].includes(comparePrice(table, prices, day))
      ? [`${table.provider} ${table.region} ${table.model} on ${day.toISOString().slice(0, 10)}`]
      : [],
  );

it('prices no model with fewer kinds, bands or tiers than the price catalogue', () => {
  expect(catalogueTables.length).toBeGreaterThan(3_000);
  expect(flatter(catalogueTables)).toEqual([]);
});

it.each([
  ['the lists', lists],
  ['the sources that complete them', completions],
  ['the sources that disagree', disagreements],
])('prices no model with fewer kinds, bands or tiers than %s state', (_, section) => {
  expect(section.length).toBeGreaterThan(0);
  expect(flatter(section.flatMap(tablesOf))).toEqual([]);
});

it('gives a range over both prices where two sources disagree', () => {
  const outside = disagreements.flatMap(tablesOf).flatMap(({ table, day }) => {
    const { provider, model, region, price } = table;
    const event = call({
      provider,
      requested_model: model,
      ...(region !== null && { region }),
      operation: 'chat',
      input_tokens: 1_000_000,
      cached_input_tokens: 0,
      output_tokens: price.output === undefined ? undefined : 0,
    });
    const short = Object.assign(event, { input_tokens: 10_000 });
    const { cost } = assessImpact(short, day, factors);
    if (cost === null || price.input === undefined) return [];
    const stated = decimal(price.input).times('0.01').round(12);
    // A tolerance of half a percent: tables round.
    const isInside =
      stated.gte(decimal(cost.low).times('0.995')) && stated.lte(decimal(cost.high).times('1.005'));
    return isInside
      ? []
      : [`${provider} ${region} ${model}: ${price.input} is outside ${cost.low} to ${cost.high}`];
  });

  expect(outside).toEqual([]);
});
