import { magnitude } from '../../../../sdk/typescript/src/decimal.ts';
import type { UnitCosts, UnitCostsReport } from '../../../../sdk/typescript/src/types.ts';
import { type Dimension, groupOf } from '../../charts/usage.ts';
import { formatAmount, formatRange, formatShare, formatUsd } from '../../format/amount.ts';
import { nameOfGroup } from './nameOfGroup.ts';

/** What each unit of a group costs, as text. Null: the group has no such unit, or what it costs is unknown. */
export interface UnitCostLine {
  readonly key: string;
  readonly name: string;
  /** Calls without a known price, or whose cost cannot be divided: what is null can then be of them. */
  readonly isPartlyUnknown: boolean;
  readonly call: string | null;
  readonly person: string | null;
  readonly input: string | null;
  readonly cachedInput: string | null;
  readonly output: string | null;
  readonly cacheShare: string | null;
  readonly cacheSaving: string | null;
}

/** Costs of single calls are less than a cent, and differ in it. */
const CALL_DIGITS = 4;

const textOf = (amount: string | null): string | null => (amount === null ? null : formatUsd(amount));

const callText = (amount: string | null): string | null => {
  const size = Math.abs(magnitude(amount));
  if (amount === null || size >= 1 || size < 0.0001) return textOf(amount);
  return formatAmount(amount, 'cost', undefined, CALL_DIGITS);
};

const lineOf = (
  key: string,
  name: string,
  {
    cost_per_invocation_usd: call,
    person_costs: person,
    token_costs: tokens,
    cache,
    unpriced_invocations: unpriced,
  }: UnitCosts,
): UnitCostLine => ({
  key,
  name,
  isPartlyUnknown: unpriced > 0 || magnitude(tokens.undivided_usd) > 0,
  call: callText(call),
  person:
    person.low_usd === null || person.high_usd === null
      ? null
      : formatRange(person.low_usd, person.high_usd, 'cost'),
  input: textOf(tokens.uncached_input.usd_per_million),
  cachedInput: textOf(tokens.cached_input.usd_per_million),
  output: textOf(tokens.output.usd_per_million),
  cacheShare: cache.share === null ? null : formatShare(magnitude(cache.share)),
  cacheSaving: textOf(cache.saving_usd),
});

/** The groups in order of their cost, after all calls together. */
export const unitCostLines = (
  { totals, data }: Pick<UnitCostsReport, 'totals' | 'data'>,
  group: readonly Dimension[],
): readonly UnitCostLine[] => [
  lineOf(':all', 'All calls', totals),
  ...data
    .toSorted((one, other) => magnitude(other.cost_usd) - magnitude(one.cost_usd))
    .map((row) => {
      const own = groupOf(row, group);
      return lineOf(own.key, nameOfGroup(own, group), row);
    }),
];
