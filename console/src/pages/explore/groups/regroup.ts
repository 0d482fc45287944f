import { magnitude, sum } from '../../../../../sdk/shared/decimal.ts';
import type { UsageRow } from '../../../../../sdk/typescript/src/types.ts';
import { centralOf, type Dimension, estimateOf, groupOf } from '../../../charts/usage.ts';
import type { Measure } from '../../../format/amount.ts';

/** The largest groups keep their rows. The rows of all others become one group. */
export const keepLargest = (
  rows: readonly UsageRow[],
  dimensions: readonly Dimension[],
  measure: Measure,
  maximum: number,
): readonly UsageRow[] => {
  const totals = [...Map.groupBy(rows, (row) => groupOf(row, dimensions).key)]
    .filter(([key]) => !key.startsWith(':'))
    .map(([key, own]) => ({ key, total: magnitude(sum(own.map((row) => estimateOf(row, measure).central))) }))
    .sort((a, b) => b.total - a.total);
  const others = new Set(totals.slice(maximum).map(({ key }) => key));
  return rows.map((row) => (others.has(groupOf(row, dimensions).key) ? { ...row, kind: 'other' } : row));
};

export interface GroupSummary {
  readonly key: string;
  readonly kind: ReturnType<typeof groupOf>['kind'];
  readonly values: readonly (string | null)[];
  readonly invocations: number;
  readonly tokens: number;
  readonly central: string | null;
  readonly low: string | null;
  readonly high: string | null;
  readonly unknown: number;
  /** The amount in the period before, if the report compares. */
  readonly previous: string | null;
}

/** One line for each group, over the whole period, largest first. */
export const summarize = (
  rows: readonly UsageRow[],
  dimensions: readonly Dimension[],
  measure: Measure,
): GroupSummary[] =>
  [...Map.groupBy(rows, (row) => groupOf(row, dimensions).key)]
    .flatMap(([, own]): GroupSummary[] => {
      const [first] = own;
      if (first === undefined) return [];
      const estimates = own.map((row) => estimateOf(row, measure));
      return [
        {
          ...groupOf(first, dimensions),
          invocations: own.reduce((count, row) => count + row.invocations, 0),
          tokens: own.reduce((count, row) => count + row.input_tokens + row.output_tokens, 0),
          central: sum(estimates.map(({ central }) => central)),
          low: sum(estimates.map(({ low }) => low)),
          high: sum(estimates.map(({ high }) => high)),
          unknown: estimates.reduce((count, { unknown }) => count + unknown, 0),
          previous: sum(
            own.map((row) => (row.previous === undefined ? null : centralOf(row.previous, measure))),
          ),
        },
      ];
    })
    .sort((a, b) => magnitude(b.central) - magnitude(a.central));
