import * as z from 'zod';
import { TokenCount } from '../../schemas/values.ts';
import type { ParsedRow } from './jsonRows.ts';
import { type Labels, labelledCall } from './row.ts';

/** Tokens of one block of a prefix. https://github.com/kvcache-ai/Mooncake (FAST'25 traces) */
const BLOCK_TOKENS = 512;

/** Thirty years: beyond it a time is a mistake, and far beyond it no date. */
const TRACE_LONGEST_MS = 1e12;

const MooncakeRow = z.object({
  /** Milliseconds since the trace began. */
  timestamp: z.number().min(0).max(TRACE_LONGEST_MS),
  input_length: TokenCount,
  output_length: TokenCount,
  /** One id for each block; equal ids are equal blocks after equal prefixes. */
  hash_ids: z.array(z.int()),
});

/**
 * Reads rows of a Mooncake trace, in order: what an earlier row had as its prefix lies in the cache. The ids seen are
 * remembered for the whole trace, since the trace does not tell when a block left the cache.
 */
export const mooncakeReader = (labels: Labels, defaultService: string) => {
  const cachedBlocks = new Set<number>();
  return (value: unknown): ParsedRow => {
    const { data } = MooncakeRow.safeParse(value);
    if (data === undefined) {
      return { reason: 'not timestamp, input_length, output_length and hash_ids as numbers' };
    }
    const firstMiss = data.hash_ids.findIndex((id) => !cachedBlocks.has(id));
    const prefix = firstMiss === -1 ? data.hash_ids.length : firstMiss;
    for (const id of data.hash_ids) cachedBlocks.add(id);
    const at = Math.floor(data.timestamp);
    return {
      at,
      capturedAt: at,
      call: labelledCall(labels, defaultService, {
        input_tokens: data.input_length,
        cached_input_tokens: Math.min(data.input_length, prefix * BLOCK_TOKENS),
        output_tokens: data.output_length,
      }),
    };
  };
};
