import type * as GenaiPrices from '@pydantic/genai-prices';
import { MINUTE_MS } from '../../../schemas/durations.ts';
import { memoize, memoKey } from '../../platform/shared/caches/memoize.ts';
import { cataloguePricesOf, hasOtherModalities } from './lists/cataloguePrices.ts';
import { bandsOf, type PriceSheets, sheetAt, sheetsOf } from './priceBands.ts';
import { priceMatch } from './priceMatch.ts';
import type { PriceSource } from './priceSheet.ts';
import { feeHighOf, withModelRules } from './rules/modelRules.ts';
import type { PriceRules } from './rules/priceRules.ts';
import { publishedRules } from './rules/publishedRules.ts';

type Library = Pick<typeof GenaiPrices, 'calcPrice' | 'findProvider'>;

/** Version pinned in package.json. Every record contains it, so that the price can be looked up in the same list. */
export const CATALOGUE_VERSION = 'genai-prices@0.1.8';

/** An empty price entry means "free" for these, and "no longer offered" or "in a subscription" for others. */
const FREE_OF_CHARGE = /:free$|^gemma-|^moderation$/;

/** Models that the catalogue lists with text prices only, although their audio tokens cost many times as much. */
const AUDIO_UNLISTED = /^gpt-4o(?:-mini)?-audio-preview/;

/**
 * Open weights that the catalogue lists under their vendor, which serves them nowhere: each host has a price of its own, and who
 * runs them pays for machines (https://help.openai.com/en/articles/11870455-openai-open-weight-models-gpt-oss).
 */
export const isSold = (provider: string, model: string): boolean =>
  provider !== 'openai' || !/^(?:openai\/)?gpt-oss-/.test(model);

const sheetsIn = (
  rules: PriceRules,
  requestedModel: string,
  found: GenaiPrices.PriceCalculation,
): PriceSheets | null => {
  const kinds = Object.keys(found.model_price);
  if (kinds.length === 0 && !FREE_OF_CHARGE.test(found.model.id)) return null;
  const prices =
    kinds.length === 0
      ? { input: '0', output: '0' }
      : cataloguePricesOf(found.provider.id, found.model_price);
  return sheetsOf(withModelRules(rules, found.provider.id, found.model.id, bandsOf(prices)), {
    source: 'catalogue',
    catalogue: CATALOGUE_VERSION,
    match: priceMatch(requestedModel, found.model.id),
    pricedModel: found.model.id,
    otherModalities: hasOtherModalities(found.model_price) || AUDIO_UNLISTED.test(found.model.id),
    requestHigh: feeHighOf(rules, 'request', found.provider.id, found.model.id),
    searchHigh: feeHighOf(rules, 'search', found.provider.id, found.model.id),
  });
};

/**
 * Unit prices of @pydantic/genai-prices. Only its matching and its price numbers are used: its calculated totals
 * are floats, and it counts missing usage as 0.
 * The provider must be one of its own ids: its less strict look-up would match any provider with "openai" in its name.
 */
export const cataloguePrices = (library: Library, rules: PriceRules = publishedRules): PriceSource => {
  const look = (provider: string, model: string, at: Date) => {
    const known = provider === 'litellm' || library.findProvider({ providerId: provider })?.id === provider;
    return known && isSold(provider, model)
      ? library.calcPrice({}, model, { providerId: provider, timestamp: at })
      : null;
  };

  // Matching costs some 30 µs, so its result is cached: without expiry if the price never changed …
  const constant = memoize((key) => {
    const [provider = '', model = ''] = key.split('\u0000');
    const found = look(provider, model, new Date(0));
    if (found === null) return 'unknown';
    return Array.isArray(found.model.prices) ? 'dated' : { sheets: sheetsIn(rules, model, found) };
  });

  // … and for one minute for prices with dates or times of day, all of which change on whole minutes.
  const dated = memoize((key) => {
    const [provider = '', model = '', minute = ''] = key.split('\u0000');
    const found = look(provider, model, new Date(Number(minute) * MINUTE_MS));
    return found === null ? null : sheetsIn(rules, model, found);
  });

  const sheetsAt = (provider: string, model: string, at: Date): PriceSheets | null => {
    const entry = constant(memoKey(provider, model));
    if (entry === 'unknown') return null;
    if (entry !== 'dated') return entry.sheets;
    return dated(memoKey(provider, model, String(Math.floor(at.getTime() / MINUTE_MS))));
  };

  return {
    find(provider, model, at, contextTokens) {
      const sheets = sheetsAt(provider, model, at);
      return sheets && sheetAt(sheets, contextTokens);
    },
  };
};
