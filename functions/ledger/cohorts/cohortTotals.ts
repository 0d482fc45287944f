import type { TopMeasure } from '../../../schemas/insight/reports.ts';
import type { Figures } from '../../../schemas/ledger/rollup.ts';
import { sumDecimals } from '../../platform/shared/decimal.ts';
import { addFigures, noFigures } from '../rollups/figures.ts';
import type { Cohort } from './cohorts.ts';

/** Sums the figures of cohorts. `select` drops figures that are not needed. */
export const figuresOf = (cohorts: readonly Cohort[], select: (figures: Figures) => Figures): Figures => {
  let total = noFigures;
  for (const { parts } of cohorts) {
    for (const { figures } of parts) total = addFigures(total, select(figures));
  }
  return total;
};

const countOf = (cohorts: readonly Cohort[], count: (figures: Figures) => number): number =>
  cohorts.reduce((total, { parts }) => parts.reduce((part, { figures }) => part + count(figures), total), 0);

/** Number of calls in cohorts. */
export const invocationsOf = (cohorts: readonly Cohort[]): number =>
  countOf(cohorts, ({ invocations }) => invocations);

/** The sum of a measure over cohorts, as a decimal. Calls whose value is unknown are not included. */
export const totalOf = (cohorts: readonly Cohort[], measure: TopMeasure): string => {
  if (measure === 'invocations') return String(invocationsOf(cohorts));
  if (measure === 'unpriced_invocations')
    return String(countOf(cohorts, ({ cost_usd: cost }) => cost.unknown));
  return sumDecimals(cohorts.flatMap(({ parts }) => parts.map(({ figures }) => figures[measure].central)));
};
