import * as z from 'zod';
import { TokenCount } from '../../schemas/values.ts';
import type { ParsedRow } from './jsonRows.ts';
import { type Labels, labelledCall } from './row.ts';

/** Tokens of one block of a prefix. https://github.com/kvcache-ai/Mooncake (FAST'25 traces) */
const BLOCK_TOKENS = 512;

/** About thirty years. A longer trace is a mistake, and much longer times are not valid dates. */
const TRACE_LONGEST_MS = 1e12;

const MooncakeRow = z.object({
  /** Milliseconds since the start of the trace. */
  timestamp: z.number().min(0).max(TRACE_LONGEST_MS),
  input_length: TokenCount,
  output_length: TokenCount,
  /** One id per block. Equal ids mean equal blocks after equal prefixes. */
  hash_ids: z.array(z.int()),
});

/**
 * Parses the rows of a Mooncake trace, in order. The blocks of earlier rows count as cached. They stay cached for the
 * whole trace, because the trace does not contain evictions.
 */
export const mooncakeReader = (labels: Labels, defaultService: string) => {
  const cachedBlocks = new Set<number>();
  return (value: unknown): ParsedRow => {
    const { data } = MooncakeRow.safeParse(value);
    if (data === undefined) {
      return { reason: 'timestamp, input_length, output_length and hash_ids must be numbers' };
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
