import { withoutArea } from '../bedrockId.ts';
import type { PriceMatch } from './priceSheet.ts';

/** Ids whose spelling does not show that they name the same model. */
export const KNOWN_ALIASES: ReadonlyMap<string, string> = new Map([
  ['gpt-35-turbo', 'gpt-3-5-turbo'],
  ['gpt-5-6', 'gpt-5-6-sol'],
  ['open-mistral-nemo', 'mistral-nemo'],
  ['open-mistral-7b', 'mistral-7b'],
  ['open-mixtral-8x7b', 'mixtral-8x7b'],
]);

/** Endings that name a snapshot of a model: dates, build numbers, `-latest`, dated previews, an initial `-0`. */
const SNAPSHOT =
  /-(?:20\d{2}-?[01]\d-?[0-3]\d|[01]\d-20\d{2}|preview-\d{2}-(?:20\d{2}|\d{2})|\d{4}|\d{3}|latest|0)$/;

/** An id in one spelling of the signs between its parts. */
export const normalizeSeparators = (id: string): string => id.replace(/[.@_]/g, '-');

/** The model that an id names a snapshot of (`gpt-4o` for `gpt-4o-2024-08-06`), in the one spelling. */
export const withoutSnapshot = (id: string): string => normalizeSeparators(id).replace(SNAPSHOT, '');

/** The part of an id that decides the price: without host's folder, routing area, fine-tune name and snapshot. */
const pricingModelOf = (id: string): string => {
  const bare = withoutArea(id)
    .replace(/^accounts\/[^/]+\/models\//, '')
    .replace(/^(ft:[^:]+):.*$/, '$1');
  const line = withoutSnapshot(bare);
  return KNOWN_ALIASES.get(line) ?? line;
};

/**
 * How well the priced model matches the one asked for. The catalogue matches some ids by prefix or substring
 * (`amazon.titan-embed-text-v2:0` comes back as v1), so a hit that names another model says `family`: check the price.
 */
export const priceMatch = (requestedModel: string, pricedModel: string): PriceMatch => {
  const id = pricedModel.toLowerCase();
  if (requestedModel === id) return 'exact';
  return pricingModelOf(requestedModel) === pricingModelOf(id) ? 'alias' : 'family';
};
