import { withoutArea } from '../usage/bedrockId.ts';
import type { PriceMatch } from './priceSheet.ts';

/** Aliases that cannot be derived from the spelling of the id. */
export const KNOWN_ALIASES: ReadonlyMap<string, string> = new Map([
  ['gpt-35-turbo', 'gpt-3-5-turbo'],
  ['gpt-5-6', 'gpt-5-6-sol'],
  ['claude-4-opus', 'claude-opus-4'],
  ['claude-4-sonnet', 'claude-sonnet-4'],
  ['open-mistral-nemo', 'mistral-nemo'],
  ['open-mistral-7b', 'mistral-7b'],
  ['open-mixtral-8x7b', 'mixtral-8x7b'],
]);

/** Suffixes that identify a snapshot of a model: dates, build numbers, `-latest`, dated previews, an initial `-0`. */
const SNAPSHOT =
  /-(?:20\d{2}-?[01]\d-?[0-3]\d|[01]\d-20\d{2}|preview-\d{2}-(?:20\d{2}|\d{2})|\d{4}|\d{3}|latest|0)$/;

/** The id with all separators replaced by hyphens. */
export const normalizeSeparators = (id: string): string => id.replace(/[.@_]/g, '-');

/** The model of a snapshot id (`gpt-4o` for `gpt-4o-2024-08-06`), with normalized separators. */
export const withoutSnapshot = (id: string): string => normalizeSeparators(id).replace(SNAPSHOT, '');

/** The first version of a model at Bedrock (`-v1:0`), and the version that Vertex AI serves by default. */
const DEFAULT_VERSION = /(?:-v1)?(?::0)?$|@default$/;

/** The part of an id that determines the price: without hosting path, routing area, fine-tune name and snapshot. */
const pricingModelOf = (id: string): string => {
  const bare = withoutArea(id)
    .replace(DEFAULT_VERSION, '')
    .replace(/^accounts\/[^/]+\/models\//, '')
    .replace(/^(ft:[^:]+):.*$/, '$1');
  const line = withoutSnapshot(bare);
  return KNOWN_ALIASES.get(line) ?? line;
};

/**
 * How well the priced model matches the requested one. The catalogue matches some ids by prefix or substring: for
 * `amazon.titan-embed-text-v2:0` it returns v1. A match with another model is therefore `family`, and its price is
 * uncertain.
 */
export const priceMatch = (requestedModel: string, pricedModel: string): PriceMatch => {
  const id = pricedModel.toLowerCase();
  if (requestedModel === id) return 'exact';
  return pricingModelOf(requestedModel) === pricingModelOf(id) ? 'alias' : 'family';
};
