import type { UnitKind } from '../../../schemas/attribution/unitPrices.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { type Decimal, decimal, wholeNumber } from '../../platform/shared/decimal.ts';
import { unitsOf } from '../usage/usage.ts';

/** The highest price of a token in the catalogue, of o1-pro output, in USD per million. A test compares them. */
export const HIGHEST_TOKEN_PRICE = '600';

/**
 * Highest published prices in USD per million, for what a model has no price of its own: grounding of Google; file search
 * and a large container of OpenAI; rerank of Cohere; realtime and generated audio; video, images and pages of the most
 * expensive models; speech of ElevenLabs.
 */
export const HIGHEST_UNIT_PRICES: Readonly<Record<UnitKind | 'search', string>> = {
  search: '35000',
  file_search: '10000',
  code_execution: '1920000',
  rerank_search: '5000',
  audio_second: '4000',
  video_second: '750000',
  image: '500000',
  page: '50000',
  character: '300',
};

/** How far above the highest price an amount is believed. Tiers, regions, long contexts and resellers multiply it by six. */
export const TOLERANCE = '10';
/** An amount up to this is believed: a session or a batch that is reported as one call, with part of its usage. */
const ALWAYS_PLAUSIBLE_USD = decimal('1000');
/** Tokens of a call that reports none: the longest context of a model. */
const LONGEST_CALL_TOKENS = 10_000_000;

/** The most that a call with this usage can cost, in USD. */
export const plausibleUsd = (event: InvocationEvent): Decimal => {
  const counts = [
    event.input_tokens_high ?? event.input_tokens,
    event.output_tokens_high ?? event.output_tokens,
  ].filter((count) => count !== undefined);
  const units = [...unitsOf(event), { kind: 'search' as const, count: event.web_searches ?? 0 }];
  const hasUsage = counts.length > 0 || units.some(({ count }) => count > 0);
  const tokens = hasUsage ? counts.reduce((sum, count) => sum + count, 0) : LONGEST_CALL_TOKENS;
  const millions = units.reduce(
    (sum, { kind, count }) => sum.plus(wholeNumber(count).times(HIGHEST_UNIT_PRICES[kind])),
    wholeNumber(tokens).times(HIGHEST_TOKEN_PRICE),
  );
  const most = millions.times('0.000001').times(TOLERANCE);
  return most.gt(ALWAYS_PLAUSIBLE_USD) ? most : ALWAYS_PLAUSIBLE_USD;
};
