import type { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';

/**
 * The tokens of a call in buckets that do not overlap, so that none is billed twice:
 * `uncached + cached + cacheWrite` is everything read. Reasoning stays a part of `output`.
 */
export interface Usage {
  readonly uncached: number;
  readonly cached: number;
  readonly cacheWrite: number;
  /** Null if the producer did not report it. */
  readonly output: number | null;
  readonly reasoning: number;
  /** False if the producer did not report cache reads. `cached` is then 0, which is only a lower bound. */
  readonly cachedKnown: boolean;
}

type Counts = Pick<
  InvocationEvent,
  'input_tokens' | 'cached_input_tokens' | 'cache_write_tokens' | 'output_tokens' | 'reasoning_tokens'
>;

/**
 * Reads the token counts of an event. Returns `usage_missing` without `input_tokens`, because its parts do not
 * determine the total, and `usage_inconsistent` if parts exceed their total (from senders that the schema did not check).
 */
export const readUsage = (counts: Counts): Usage | 'usage_missing' | 'usage_inconsistent' => {
  const { input_tokens: input, output_tokens: output } = counts;
  if (input === undefined) return 'usage_missing';
  const cached = counts.cached_input_tokens ?? 0;
  const cacheWrite = counts.cache_write_tokens ?? 0;
  const reasoning = counts.reasoning_tokens ?? 0;
  const uncached = input - cached - cacheWrite;
  if (uncached < 0 || (output !== undefined && reasoning > output)) return 'usage_inconsistent';
  return {
    uncached,
    cached,
    cacheWrite,
    output: output ?? null,
    reasoning,
    cachedKnown: counts.cached_input_tokens !== undefined,
  };
};
