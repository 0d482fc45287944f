import { magnitude } from '../../../../sdk/typescript/src/decimal.ts';
import type { UnitCosts, UnitCostsReport } from '../../../../sdk/typescript/src/types.ts';
import { type Dimension, groupOf } from '../../charts/usage.ts';
import { formatRange, formatShare, formatUsd } from '../../format/amount.ts';
import { nameOfGroup } from './nameOfGroup.ts';

/** What each unit of a group costs, as text. Null: the group has no such unit. */
export interface UnitCostLine {
  readonly key: string;
  readonly name: string;
  readonly call: string | null;
  readonly person: string | null;
  readonly input: string | null;
  readonly cachedInput: string | null;
  readonly output: string | null;
  readonly cacheShare: string | null;
  readonly cacheSaving: string | null;
}

const textOf = (amount: string | null): string | null => (amount === null ? null : formatUsd(amount));

const lineOf = (
  key: string,
  name: string,
  { cost_per_invocation_usd: call, person_costs: person, token_costs: tokens, cache }: UnitCosts,
): UnitCostLine => ({
  key,
  name,
  call: textOf(call),
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
