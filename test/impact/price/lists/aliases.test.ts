import * as library from '@pydantic/genai-prices';
import { expect, it } from 'vitest';
import { cataloguePrices } from '../../../../functions/impact/price/catalogue.ts';
import { listPrices } from '../../../../functions/impact/price/lists/listPrices.ts';
import file from '../../../../functions/impact/price/lists/priceList.json' with { type: 'json' };
import type { PriceSheet } from '../../../../functions/impact/price/priceSheet.ts';
import { publishedAliases } from '../../../../functions/impact/usage/aliasLists.ts';
import { expectNoFaults, unequal } from '../../../support/faults.ts';

const catalogue = cataloguePrices(library);
const NEWEST = '2026-11-20';

/** Names that a catalogue may know for a model: its beginnings, and the same with `-latest`. */
const namesOf = (model: string): string[] => {
  const parts = model.split('-');
  const beginnings = parts.map((_, index) => parts.slice(0, index + 1).join('-'));
  return beginnings.flatMap((name) => [name, `${name}-latest`]).filter((name) => name !== model);
};

const lists = [...file.lists, ...file.completions, ...file.disagreements];
/** What the lists name. They may say something of an alias itself, as the dated aliases do. */
const named = new Set(
  [...lists, ...publishedAliases].flatMap(({ provider, models }) =>
    Object.keys(models).map((model) => `${provider} ${model}`),
  ),
);

/** Each alias of the catalogue for a model with a listed price, on the days of its prices. */
const aliases = lists.flatMap(({ provider, models }) =>
  Object.entries(models).flatMap(([model, price]) =>
    namesOf(model)
      .filter((name) => !named.has(`${provider} ${name}`))
      .filter((name) => {
        const sheet = catalogue.find(provider, name, new Date(NEWEST), 0);
        return sheet?.match === 'alias' && sheet.pricedModel === model;
      })
      .flatMap((alias) =>
        (Array.isArray(price) ? price.map(({ from }) => from) : [NEWEST]).map((day) => ({
          provider,
          model,
          alias,
          at: new Date(`${day}T12:00:00Z`),
        })),
      ),
  ),
);

const stated = (sheet: PriceSheet | null) =>
  sheet && [sheet.input, sheet.cached_input, sheet.output, sheet.others?.map(({ prices }) => prices)];

it('an alias costs what the lists and other sources say of the model that it names', async () => {
  expect(aliases.length).toBeGreaterThan(3);
  await expectNoFaults(
    aliases,
    ({ provider, alias, at }) => `${provider} ${alias} on ${at.toISOString()}`,
    ({ provider, alias, model, at }) => {
      const [found, expected] = [alias, model].map((id) =>
        stated(listPrices.prices.find(provider, id, at, 0)),
      );
      return unequal('price', found, expected);
    },
  );
});
