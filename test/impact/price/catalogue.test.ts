import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as library from '@pydantic/genai-prices';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CO2JS_VERSION } from '../../../functions/impact/footprint/grid.ts';
import { CATALOGUE_VERSION, cataloguePrices } from '../../../functions/impact/price/catalogue.ts';
import { MID_JULY } from '../calls.ts';

const PROVIDERS =
  'openai anthropic aws azure google mistral deepseek x-ai groq together cohere openrouter'.split(' ');

const modelsOf = (provider: string) => library.findProvider({ providerId: provider })?.models ?? [];

/** Version of an installed package, from the manifest beside its entry file. */
const installed = (entry: string, upTo: string): string => {
  const path = createRequire(import.meta.url).resolve(entry);
  const manifest = readFileSync(`${path.slice(0, path.indexOf(upTo) + upTo.length)}/package.json`, 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(manifest)).version;
};

describe('the price catalogue', () => {
  it('contains the installed package version in its name', () => {
    expect(CATALOGUE_VERSION).toBe(`genai-prices@${installed('@pydantic/genai-prices', 'genai-prices')}`);
    expect(CO2JS_VERSION).toBe(installed('@tgwf/co2/data', '@tgwf/co2'));
  });

  it.each(PROVIDERS)('yields decimal unit prices for every model of %s', (provider) => {
    const prices = cataloguePrices(library);
    const sheets = modelsOf(provider).map((model) => prices.find(provider, model.id, MID_JULY, 1_000));

    const known = sheets.filter((sheet) => sheet !== null);
    expect(known.length).toBeGreaterThan(modelsOf(provider).length / 2);
    for (const sheet of known) {
      for (const price of [sheet.input, sheet.cached_input, sheet.cache_write, sheet.output, sheet.request]) {
        if (price !== null) expect(price).toMatch(/^(?:0|[1-9]\d*)(?:\.\d{1,12})?$/);
      }
    }
  });

  it('never charges more for a cache read than for input', () => {
    const prices = cataloguePrices(library);
    const dearer = PROVIDERS.flatMap((provider) =>
      modelsOf(provider).flatMap((model) => {
        const sheet = prices.find(provider, model.id, MID_JULY, 1_000);
        const dear = sheet?.cached_input && sheet.input && Number(sheet.cached_input) > Number(sheet.input);
        return dear ? [`${provider} ${model.id}`] : [];
      }),
    );

    expect(dearer).toEqual([]);
  });

  it('changes prices only on whole minutes, as the cache of dated prices requires', () => {
    const times = PROVIDERS.flatMap(modelsOf)
      .flatMap((model) => (Array.isArray(model.prices) ? model.prices : []))
      .flatMap(({ constraint }) =>
        constraint?.type === 'time_of_date' ? [constraint.start_time, constraint.end_time] : [],
      );

    expect(times.length).toBeGreaterThan(0);
    for (const time of times) expect(time).toMatch(/^\d{2}:\d{2}:00Z$/);
  });
});
