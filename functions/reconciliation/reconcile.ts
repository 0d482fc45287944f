import type { Grouping } from '../../schemas/routes/reconciliation.ts';
import { countSuppressedGroups } from '../reports/reportRows.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../shared/month.ts';
import { addBalances, type DatedBalance, zeroBalance } from './balance.ts';
import type { Block } from './blocks.ts';

/** Epoch milliseconds at the beginning of days of UTC; `to` is excluded. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

export interface Sums extends DatedBalance {
  readonly suppressed_groups: number;
}

/** Blocks that share what they are grouped by. */
export interface ComparedRow {
  readonly kind: 'group' | 'folded';
  /** Its values of what is grouped by; what is folded is absent. */
  readonly values: Partial<Readonly<Record<Grouping, string | null>>>;
  readonly sums: Sums;
}

export interface Comparison {
  readonly rows: readonly ComparedRow[];
  readonly totals: Sums;
  /** Whether the sums are of the period exactly: no record or charge counted with a day beyond its ends. */
  readonly exact: boolean;
}

const FIELDS = { provider: 'provider', model: 'served_model', day: 'day' } as const;

const sumsOf = (blocks: readonly Block[], by: readonly Grouping[]): Sums => ({
  ...blocks.reduce((total, { balance }) => addBalances(total, balance), zeroBalance),
  suppressed_groups: countSuppressedGroups(
    blocks.flatMap(({ cohorts }) => cohorts),
    by.map((name) => FIELDS[name]),
  ),
});

/** Answered for whole months: for single days, it would tell on which of them somebody called. */
const isExact = (blocks: readonly Block[], { from, to }: Period): boolean =>
  [...Map.groupBy(blocks, ({ day }) => monthOf(Date.parse(day)))].every(
    ([month, inside]) =>
      (from <= startOfMonth(month) && startOfNextMonth(month) <= to) ||
      inside.every(({ isPunctual }) => isPunctual),
  );

/**
 * Sums the blocks of a period by some members, in their order; what is folded comes last. `blocks` are those of every
 * month that the period touches. A block is in one row, wholly, so no row holds less than a cohort.
 */
export const comparisonOf = (
  blocks: readonly Block[],
  period: Period,
  by: readonly Grouping[],
): Comparison => {
  const shown = blocks.filter(({ day }) => period.from <= Date.parse(day) && Date.parse(day) < period.to);
  const rows = Map.groupBy(shown, ({ line, day }) => {
    const values = { ...line, day };
    // A number sorts behind every name.
    return JSON.stringify(by.map((name) => (name in values ? (values[name] ?? '') : 0)));
  });
  return {
    rows: [...rows]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, inside]) => {
        const [first] = inside;
        const told: ComparedRow['values'] = { ...first?.line, day: first?.day ?? null };
        const named = by.filter((name) => name in told);
        return {
          kind: named.length === by.length ? 'group' : 'folded',
          values: Object.fromEntries(named.map((name) => [name, told[name] ?? null])),
          sums: sumsOf(inside, by),
        };
      }),
    totals: sumsOf(shown, by),
    exact: isExact(blocks, period),
  };
};
