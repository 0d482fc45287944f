import type * as GenaiPrices from '@pydantic/genai-prices';
import { memoize, memoKey } from '../../platform/shared/memoize.ts';
import { contextBands, hasOtherModalities, withLongContext } from './contextBands.ts';
import { priceMatch } from './priceMatch.ts';
import { NO_PRICES, type PriceSheet, type PriceSource } from './priceSheet.ts';

type Library = Pick<typeof GenaiPrices, 'calcPrice' | 'findProvider'>;

/** Version pinned in package.json. Every record contains it, so that the price can be looked up in the same list. */
export const CATALOGUE_VERSION = 'genai-prices@0.1.8';

/** An empty price entry means "free" for these, and "no longer offered" or "in a subscription" for others. */
const FREE_OF_CHARGE = /:free$|^gemma-|^moderation$/;

/** Models that the catalogue lists with text prices only, although their audio tokens cost many times as much. */
const AUDIO_UNLISTED = /^gpt-4o(?:-mini)?-audio-preview/;

interface Band {
  readonly above: number;
  readonly sheet: PriceSheet;
}

const bandsOf = (requestedModel: string, found: GenaiPrices.PriceCalculation): readonly Band[] | null => {
  const kinds = Object.keys(found.model_price);
  if (kinds.length === 0 && !FREE_OF_CHARGE.test(found.model.id)) return null;
  const free = kinds.length === 0 ? { input: '0', output: '0' } : {};
  return withLongContext(found.model.id, contextBands(found.model_price)).map(({ above, prices }) => ({
    above,
    sheet: {
      ...NO_PRICES,
      ...prices,
      ...free,
      source: 'catalogue',
      catalogue: CATALOGUE_VERSION,
      match: priceMatch(requestedModel, found.model.id),
      pricedModel: found.model.id,
      otherModalities: hasOtherModalities(found.model_price) || AUDIO_UNLISTED.test(found.model.id),
    },
  }));
};

/**
 * Unit prices of @pydantic/genai-prices. Only its matching and its price numbers are used: its calculated totals
 * are floats, and it counts missing usage as 0.
 * The provider must be one of its own ids: its less strict look-up would match any provider with "openai" in its name.
 */
export const cataloguePrices = (library: Library): PriceSource => {
  const look = (provider: string, model: string, at: Date) => {
    const known = provider === 'litellm' || library.findProvider({ providerId: provider })?.id === provider;
    return known ? library.calcPrice({}, model, { providerId: provider, timestamp: at }) : null;
  };

  // Matching costs some 30 µs, so its result is cached: without expiry if the price never changed …
  const constant = memoize((key) => {
    const [provider = '', model = ''] = key.split('\u0000');
    const found = look(provider, model, new Date(0));
    if (found === null) return 'unknown';
    return Array.isArray(found.model.prices) ? 'dated' : { bands: bandsOf(model, found) };
  });

  // … and for one minute for prices with dates or times of day, all of which change on whole minutes.
  const dated = memoize((key) => {
    const [provider = '', model = '', minute = ''] = key.split('\u0000');
    const found = look(provider, model, new Date(Number(minute) * 60_000));
    return found === null ? null : bandsOf(model, found);
  });

  const bandsAt = (provider: string, model: string, at: Date): readonly Band[] | null => {
    const entry = constant(memoKey(provider, model));
    if (entry === 'unknown') return null;
    if (entry !== 'dated') return entry.bands;
    return dated(memoKey(provider, model, String(Math.floor(at.getTime() / 60_000))));
  };

  return {
    find: (provider, model, at, contextTokens) =>
      bandsAt(provider, model, at)?.findLast((band) => contextTokens > band.above)?.sheet ?? null,
  };
};
