import { magnitude } from '../../../../../sdk/shared/decimal.ts';
import type { UnitCosts, UnitCostsReport } from '../../../../../sdk/typescript/src/types.ts';
import { type Dimension, groupOf } from '../../../charts/usage.ts';
import { formatAmount, formatRange, formatShare, formatUsd, plural } from '../../../format/amount.ts';
import { nameOfGroup } from '../groups/nameOfGroup.ts';

/** A figure of a group, as text and as the amount that orders the groups. */
export interface UnitFigure {
  readonly text: string;
  readonly amount: string;
  /** How many units, below the amount: beside it, amounts of a column would not align. */
  readonly count?: string;
}

/** What each unit of a group costs. Null: the group has no such unit, or what it costs is unknown. */
export interface UnitCostLine {
  readonly key: string;
  readonly name: string;
  /** Calls without a known price, or whose cost cannot be divided: what is null can then be of them. */
  readonly isPartlyUnknown: boolean;
  readonly call: UnitFigure | null;
  readonly person: UnitFigure | null;
  readonly input: UnitFigure | null;
  readonly cachedInput: UnitFigure | null;
  readonly output: UnitFigure | null;
  readonly cacheShare: UnitFigure | null;
  readonly cacheSaving: UnitFigure | null;
  readonly failed: UnitFigure | null;
  readonly incomplete: UnitFigure | null;
}

/** Costs of single calls are less than a cent, and differ in it. */
const CALL_DIGITS = 4;

const figureOf = (
  amount: string | null,
  textOf = (known: string): string => formatUsd(known),
): UnitFigure | null => (amount === null ? null : { text: textOf(amount), amount });

const callText = (amount: string): string => {
  const size = Math.abs(magnitude(amount));
  if (size >= 1 || size < 0.0001) return formatUsd(amount);
  return formatAmount(amount, 'cost', undefined, CALL_DIGITS);
};

/** What calls cost that did not end well, and how many they are. Null: it is hidden, or not known. */
const outcomeFigure = (costs: UnitCosts['outcomes'], status: 'error' | 'incomplete'): UnitFigure | null => {
  const { invocations = null, cost_usd: cost = null } = costs?.[status] ?? {};
  return invocations === null || cost === null
    ? null
    : {
        text: invocations === 0 ? 'none' : formatUsd(cost),
        amount: cost,
        ...(invocations > 0 && { count: plural(invocations, 'call') }),
      };
};

const lineOf = (
  key: string,
  name: string,
  {
    cost_per_invocation_usd: call,
    person_costs: person,
    token_costs: tokens,
    cache,
    outcomes,
    unpriced_invocations: unpriced,
  }: UnitCosts,
): UnitCostLine => ({
  key,
  name,
  isPartlyUnknown: unpriced > 0 || magnitude(tokens.undivided_usd) > 0,
  call: figureOf(call, callText),
  person:
    person.low_usd === null || person.high_usd === null
      ? null
      : { text: formatRange(person.low_usd, person.high_usd, 'cost'), amount: person.high_usd },
  input: figureOf(tokens.uncached_input.usd_per_million),
  cachedInput: figureOf(tokens.cached_input.usd_per_million),
  output: figureOf(tokens.output.usd_per_million),
  cacheShare: figureOf(cache.share, (share) => formatShare(magnitude(share))),
  cacheSaving: figureOf(cache.saving_usd),
  failed: outcomeFigure(outcomes, 'error'),
  incomplete: outcomeFigure(outcomes, 'incomplete'),
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
