import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';

/** How far above the highest known value an amount is believed. Tiers, regions, long contexts and resellers multiply a price by six. */
export const TOLERANCE = '10';
/** Tokens of a call that reports none: the longest context of a model. */
export const LONGEST_CALL_TOKENS = 10_000_000;

/** All tokens that a call reports, in the highest reading. Undefined if it reports none. */
export const reportedTokens = (event: InvocationEvent): number | undefined => {
  const counts = [
    event.input_tokens_high ?? event.input_tokens,
    event.output_tokens_high ?? event.output_tokens,
  ].filter((count) => count !== undefined);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
};
