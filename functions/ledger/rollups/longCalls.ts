import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import {
  type AboveLength,
  CONTEXT_LENGTHS,
  JUST_ABOVE_PERCENT,
  type JustAbove,
  type LongCalls,
  type Quantity,
} from '../../../schemas/ledger/rollup.ts';
import { sumQuantities } from './sumQuantities.ts';

/** The length of one call, with what it cost if it reads just more than a length at which prices rise. */
export const longCallsOf = (record: AttributionRecord, cost_usd: Quantity): LongCalls => {
  const { input_tokens, cached_input_tokens, cache_write_tokens, output_tokens } = record;
  const read = input_tokens ?? 0;
  const figures: JustAbove = {
    invocations: 1,
    cost_usd,
    input_tokens: read,
    cached_input_tokens: cached_input_tokens ?? 0,
    cache_write_tokens: cache_write_tokens ?? 0,
    output_tokens: output_tokens ?? 0,
  };
  const above = CONTEXT_LENGTHS.filter((length) => read > length).map((length) => [
    `${length}`,
    { invocations: 1, ...(read * 100 <= length * JUST_ABOVE_PERCENT && { just_above: figures }) },
  ]);
  return { examined: 1, above: Object.fromEntries(above) };
};

const sumJustAbove = (one: JustAbove | undefined, other: JustAbove | undefined): JustAbove | undefined => {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    invocations: one.invocations + other.invocations,
    cost_usd: sumQuantities(one.cost_usd, other.cost_usd),
    input_tokens: one.input_tokens + other.input_tokens,
    cached_input_tokens: one.cached_input_tokens + other.cached_input_tokens,
    cache_write_tokens: one.cache_write_tokens + other.cache_write_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
  };
};

const sumAbove = (one: AboveLength | undefined, other: AboveLength | undefined): AboveLength | undefined => {
  if (one === undefined || other === undefined) return one ?? other;
  const just_above = sumJustAbove(one.just_above, other.just_above);
  return {
    invocations: one.invocations + other.invocations,
    ...(just_above !== undefined && { just_above }),
  };
};

const isEmpty = ({ above }: LongCalls): boolean => Object.keys(above).length === 0;

export const sumLongCalls = (one: LongCalls, other: LongCalls): LongCalls => {
  const examined = one.examined + other.examined;
  // Most groups have none, and reports add up very many groups.
  if (isEmpty(one)) return { ...other, examined };
  if (isEmpty(other)) return { ...one, examined };
  const above = CONTEXT_LENGTHS.flatMap((length) => {
    const sum = sumAbove(one.above[`${length}`], other.above[`${length}`]);
    return sum === undefined ? [] : [[`${length}`, sum]];
  });
  return { examined, above: Object.fromEntries(above) };
};
