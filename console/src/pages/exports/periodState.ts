import { sum } from '../../../../sdk/shared/decimal.ts';
import type { Period } from '../../../../sdk/typescript/src/types.ts';
import { formatMonth, isoDay } from '../../format/time.ts';

/** `Oct 2026`. */
export const monthText = (period: string): string => formatMonth(`${period}-01`);

/** What a month has changed by since its close. */
export const adjustmentOf = ({ adjustments }: Pick<Period, 'adjustments'>): string | null =>
  sum(adjustments.map(({ sums }) => sums.cost_usd));

export interface PeriodActions {
  readonly closable: ReadonlySet<string>;
  readonly reopenable: string | undefined;
}

/**
 * What can be done with periods, which are given newest first: after a close, only the next one can be closed and only the last one
 * reopened. The first close can be that of any month that has ended.
 */
export const actionsIn = (periods: readonly Period[], now: number): PeriodActions => {
  const last = periods.findIndex(({ closed }) => closed !== null);
  const next = last === -1 ? periods : periods.slice(Math.max(0, last - 1), last);
  const current = isoDay(now).slice(0, 7);
  return {
    closable: new Set(next.map(({ period }) => period).filter((period) => period < current)),
    reopenable: periods[last]?.period,
  };
};

/** How many of the newest months are always shown: the running one, and the last one that has ended. */
const RECENT = 2;

/**
 * The periods of which something is to be seen or done, and the others. Before the first close any month can be closed, and mostly
 * it is the last one.
 */
export const foldPeriods = (periods: readonly Period[], { closable, reopenable }: PeriodActions) => {
  const isShown = ({ period, state }: Period, index: number): boolean =>
    index < RECENT ||
    state === 'adjusted' ||
    period === reopenable ||
    (reopenable !== undefined && closable.has(period));
  return {
    shown: periods.filter(isShown),
    folded: periods.filter((period, index) => !isShown(period, index)),
  };
};
