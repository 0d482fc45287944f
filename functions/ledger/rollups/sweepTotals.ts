import { dueChecks } from './dueChecks.ts';
import { LENGTH } from './grain.ts';
import { endOf, type OpenPeriod } from './openPeriod.store.ts';
import type { PendingMarkStore } from './pendingMark.store.ts';
import type { RollupQueue } from './queue.store.ts';
import { CLOSE_AFTER_MS } from './recompute.ts';
import { markRepeater } from './repeatMarks.ts';
import { MINUTES_MAXIMUM } from './requestSums.ts';

/** The period of the schedule. The first run of an hour starts the checks of the hour. */
const PERIOD_MS = 15 * LENGTH.minute;

/**
 * The tasks that keep the totals of a tenant equal to its ledger, each independent of the others. Run them every quarter of
 * an hour. They only send messages, so they may run twice. `now` is epoch milliseconds.
 */
export const totalsSweep = (deps: {
  readonly pendingMarks: Pick<PendingMarkStore, 'list'>;
  readonly openPeriods: (tenantId: string) => Promise<readonly OpenPeriod[]>;
  readonly queue: Pick<RollupQueue, 'send'>;
}): readonly ((tenantId: string, now: number) => Promise<void>)[] => {
  const { openPeriods, queue } = deps;
  return [
    markRepeater(deps),
    /**
     * Summing any minute of a period that has ended stores the sum of the period and closes it. Totals are complete before, so
     * there is no mark: a period that stays open is requested again.
     */
    async (tenantId, now) => {
      const ended = (await openPeriods(tenantId)).filter((period) => endOf(period) + CLOSE_AFTER_MS <= now);
      if (ended.length === 0) return;
      const minutes = [...new Set(ended.map(({ start }) => start / LENGTH.minute))].slice(0, MINUTES_MAXIMUM);
      await queue.send({ tenant_id: tenantId, minutes, marks: [] }, 0);
    },
    async (tenantId, now) => {
      if (now % LENGTH.hour >= PERIOD_MS) return;
      for (const period of dueChecks(now)) {
        await queue.send({ tenant_id: tenantId, check: { ...period, isRepeated: false } }, 0);
      }
    },
  ];
};
