import type { Figures } from '../../schemas/rollup.ts';
import { addDecimals, addFigures, noFigures } from '../rollups/figures.ts';
import type { Cohort } from './cohorts.ts';

/** Sums the figures of cohorts. `select` drops figures that are not needed. */
export const figuresOf = (cohorts: readonly Cohort[], select: (figures: Figures) => Figures): Figures => {
  let total = noFigures;
  for (const { parts } of cohorts) {
    for (const { figures } of parts) total = addFigures(total, select(figures));
  }
  return total;
};

/** Cost of cohorts in USD. Calls of unknown cost are not included. */
export const costOf = (cohorts: readonly Cohort[]): string =>
  cohorts.reduce(
    (total, { parts }) =>
      parts.reduce((part, { figures }) => addDecimals(part, figures.cost_usd.central), total),
    '0',
  );
