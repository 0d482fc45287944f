import type { Grouping } from '../../../../schemas/routes/chargeback/reconciliation.ts';
import { countSuppressedGroups } from '../../../insight/reports/reportRows.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../../../platform/shared/time/month.ts';
import { addBalances, type DatedBalance, zeroBalance } from './balance.ts';
import type { Block } from './blocks.ts';

export interface Sums extends DatedBalance {
  readonly suppressed_groups: number;
}

/** The blocks with equal values of the `group_by` fields. */
export interface ComparedRow {
  readonly kind: 'group' | 'folded';
  /** Values of the `group_by` fields. Suppressed values are absent. */
  readonly values: Partial<Readonly<Record<Grouping, string | null>>>;
  readonly sums: Sums;
}

export interface Comparison {
  readonly rows: readonly ComparedRow[];
  readonly totals: Sums;
  /** Whether the sums cover exactly the period: no record or charge is counted on a day of another period. */
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

/** Decided for whole months. An answer for single days would disclose on which day a person called. */
const isExact = (blocks: readonly Block[], { from, to }: Interval): boolean =>
  [...Map.groupBy(blocks, ({ day }) => monthOf(Date.parse(day)))].every(
    ([month, rowBlocks]) =>
      (from <= startOfMonth(month) && startOfNextMonth(month) <= to) ||
      rowBlocks.every(({ isPunctual }) => isPunctual),
  );

/** The blocks that are counted in a period. */
export const blocksIn = (blocks: readonly Block[], { from, to }: Interval): Block[] =>
  blocks.filter(({ day }) => from <= Date.parse(day) && Date.parse(day) < to);

/**
 * Sums the blocks of a period by the given fields, sorted, suppressed values last. Pass the blocks of every month that
 * overlaps the period. A block is completely in one row, so no row covers less than a cohort.
 */
export const comparisonOf = (
  blocks: readonly Block[],
  period: Interval,
  by: readonly Grouping[],
): Comparison => {
  const visible = blocksIn(blocks, period);
  const rows = Map.groupBy(visible, ({ line, day }) => {
    const values = { ...line, day };
    // In JSON a number sorts after every quoted name, so suppressed values come last.
    return JSON.stringify(by.map((name) => (name in values ? (values[name] ?? '') : 0)));
  });
  return {
    rows: [...rows]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, rowBlocks]) => {
        const [first] = rowBlocks;
        const allValues: ComparedRow['values'] = { ...first?.line, day: first?.day ?? null };
        const named = by.filter((name) => name in allValues);
        return {
          kind: named.length === by.length ? 'group' : 'folded',
          values: Object.fromEntries(named.map((name) => [name, allValues[name] ?? null])),
          sums: sumsOf(rowBlocks, by),
        };
      }),
    totals: sumsOf(visible, by),
    exact: isExact(blocks, period),
  };
};
