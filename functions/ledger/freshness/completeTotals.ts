import { MINUTE_MS } from '../../../schemas/durations.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { PAGE_MARKS, type PendingMarkStore } from '../rollups/marks/pendingMark.store.ts';
import { lateWindowFinder } from './indexLag.ts';
import type { ProgressStore } from './progress.store.ts';

/** Whether the totals of a period hold every call that was accepted before its end. */
export type AreTotalsComplete = (period: Interval) => boolean;

/**
 * Returns a function that reads how complete the totals of a tenant are: no change of a minute of the period is pending, and
 * no call that was accepted before its end is on its way into the ledger.
 */
export const completenessReader =
  (deps: {
    readonly progress: Pick<ProgressStore, 'find'>;
    readonly pendingMarks: Pick<PendingMarkStore, 'list'>;
    readonly clock: Clock;
  }) =>
  async (tenantId: string): Promise<AreTotalsComplete> => {
    const [lateSince, marks] = await Promise.all([
      lateWindowFinder(deps.progress, deps.clock)(tenantId),
      deps.pendingMarks.list(tenantId),
    ]);
    // Beyond the page, the minutes of marks are not known.
    if (marks.length >= PAGE_MARKS) return () => false;
    const pending = marks.flatMap(({ minutes }) => minutes.map((minute) => minute * MINUTE_MS));
    return ({ from, to }) =>
      (lateSince === null || lateSince >= to) && !pending.some((at) => from <= at && at < to);
  };
export type ReadCompleteness = ReturnType<typeof completenessReader>;
