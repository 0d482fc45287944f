import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import type { TenantTask } from '../../../platform/schedule/tenantTasks.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { QUARTER_MS } from '../grain.ts';
import type { PendingMarkStore } from '../marks/pendingMark.store.ts';
import type { RollupQueue } from '../marks/queue.aws.ts';
import { markRepeater } from '../marks/repeatMarks.ts';
import { MINUTES_MAXIMUM } from '../marks/requestSums.ts';
import { endOf, type OpenPeriod } from '../openPeriod.store.ts';
import { CLOSE_AFTER_MS } from '../summing/recompute.ts';
import { DAYS_CHECK_MS, dueDays, dueHours } from './dueChecks.ts';

/**
 * The tasks that keep the totals of a tenant equal to its ledger, each independent of the others. They only send messages,
 * so they may run twice.
 */
export const totalsTasks = (deps: {
  readonly pendingMarks: Pick<PendingMarkStore, 'list'>;
  readonly openPeriods: (tenantId: string) => Promise<readonly OpenPeriod[]>;
  readonly queue: Pick<RollupQueue, 'send'>;
}): readonly TenantTask[] => {
  const { openPeriods, queue } = deps;
  const repeatMarks = markRepeater(deps);
  const check = (tenant_id: string, period: Interval) =>
    queue.send({ tenant_id, check: { ...period, isRepeated: false } }, 0);
  return [
    {
      name: 'repeatMarks',
      periodMs: QUARTER_MS,
      run: ({ tenant_id }, { now }) => repeatMarks(tenant_id, now),
    },
    {
      /**
       * Summing any minute of a period that has ended stores the sum of the period and closes it. Totals are complete
       * before, so there is no mark: a period that stays open is requested again.
       */
      name: 'closePeriods',
      periodMs: QUARTER_MS,
      run: async ({ tenant_id }, { now }) => {
        const ended = (await openPeriods(tenant_id)).filter(
          (period) => endOf(period) + CLOSE_AFTER_MS <= now,
        );
        if (ended.length === 0) return;
        const minutes = [...new Set(ended.map(({ start }) => start / MINUTE_MS))].slice(0, MINUTES_MAXIMUM);
        await queue.send({ tenant_id, minutes, marks: [] }, 0);
      },
    },
    {
      name: 'checkHours',
      periodMs: HOUR_MS,
      run: ({ tenant_id }, window) => check(tenant_id, dueHours(window)),
    },
    {
      name: 'checkDays',
      periodMs: DAY_MS,
      offsetMs: DAYS_CHECK_MS,
      run: async ({ tenant_id }, window) => {
        for (const period of dueDays(window)) await check(tenant_id, period);
      },
    },
  ];
};
