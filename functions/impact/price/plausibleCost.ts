import type { HighestPrices } from '../../../schemas/attribution/publishedPrices.ts';
import type { PricedKind, UnitKind } from '../../../schemas/attribution/unitPrices.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { type Decimal, decimal, wholeNumber } from '../../platform/shared/decimal.ts';
import { LONGEST_CALL_TOKENS, reportedTokens, TOLERANCE } from '../usage/plausibleUsage.ts';
import { unitsOf } from '../usage/usage.ts';
import highestPrices from './highestPrices.json' with { type: 'json' };

/** In a file of their own: a worker loads them at its start, and the other rules with the first price. */
const highest: readonly HighestPrices[] = highestPrices;

const highestOf = (kind: PricedKind): string => {
  const price = highest.find(({ prices }) => prices[kind] !== undefined)?.prices[kind];
  if (price === undefined) throw new Error(`no highest price is listed for ${kind}`);
  return price;
};

/** The highest price of a token in the catalogue, in USD per million. A test compares them. */
export const HIGHEST_TOKEN_PRICE = highestOf('output');

/** Highest published prices in USD per million, for what a model has no price of its own. */
export const HIGHEST_UNIT_PRICES: Readonly<Record<UnitKind | 'search', string>> = {
  search: highestOf('search'),
  file_search: highestOf('file_search'),
  code_execution: highestOf('code_execution'),
  rerank_search: highestOf('rerank_search'),
  audio_second: highestOf('audio_second'),
  video_second: highestOf('video_second'),
  image: highestOf('image'),
  page: highestOf('page'),
  character: highestOf('character'),
};

/** The highest of them, for what is counted in an unknown unit. */
export const HIGHEST_UNIT_PRICE = Object.values(HIGHEST_UNIT_PRICES).reduce((highest, price) =>
  decimal(price).gt(highest) ? price : highest,
);

/** An amount up to this is believed: a session or a batch that is reported as one call, with part of its usage. */
const ALWAYS_PLAUSIBLE_USD = decimal('1000');
const MILLIONTH = '0.000001';
/** No call is believed to cost more, whatever is reported of it: whoever invents an amount can invent usage too. */
const LARGEST_CALL_USD = wholeNumber(LONGEST_CALL_TOKENS)
  .times(HIGHEST_TOKEN_PRICE)
  .times(MILLIONTH)
  .times(TOLERANCE);

/** Whether an amount is above what the longest call costs at the highest price. */
export const exceedsEveryCall = (usd: Decimal): boolean => usd.gt(LARGEST_CALL_USD);

/** The most that a call with this usage can cost, in USD. */
export const plausibleUsd = (event: InvocationEvent): Decimal => {
  const units = [...unitsOf(event), { kind: 'search' as const, count: event.web_searches ?? 0 }];
  const tokens = reportedTokens(event) ?? (units.some(({ count }) => count > 0) ? 0 : LONGEST_CALL_TOKENS);
  const millions = units.reduce(
    (sum, { kind, count }) => sum.plus(wholeNumber(count).times(HIGHEST_UNIT_PRICES[kind])),
    wholeNumber(tokens).times(HIGHEST_TOKEN_PRICE),
  );
  const most = millions.times(MILLIONTH).times(TOLERANCE);
  return most.gt(ALWAYS_PLAUSIBLE_USD) ? most : ALWAYS_PLAUSIBLE_USD;
};
