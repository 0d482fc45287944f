import { randomUUID } from 'node:crypto';
import { ACCOUNT, REGION } from '../template/names.ts';
import type { ScheduleDeclaration } from '../template/queueMappingsAndSchedules.ts';

/** The longest delay a timer takes; a longer period would fire at once, over and over. */
const TIMER_LIMIT_MS = 2 ** 31 - 1;

export interface Scheduler {
  stop(): void;
}

/**
 * Calls functions and starts state machines at their period, the first time one period after the start. A call that fails is not repeated before
 * the next period.
 */
export function startScheduler(
  schedules: ScheduleDeclaration[],
  invoke: (targetArn: string, event: string) => void,
): Scheduler {
  const timers = schedules
    .filter(({ everyMs }) => everyMs <= TIMER_LIMIT_MS)
    .map((schedule) =>
      setInterval(() => invoke(schedule.targetArn, scheduledEvent(schedule, new Date())), schedule.everyMs),
    );
  return {
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

/** The event of one call, JSON: the schedule's own input, or what its service sends without one. */
export function scheduledEvent({ arn, service, input }: ScheduleDeclaration, at: Date): string {
  const time = at.toISOString().replace(/\.\d{3}Z$/, 'Z');
  if (input !== undefined) return input.replaceAll('<aws.scheduler.scheduled-time>', time);
  if (service === 'scheduler') return '{}';
  return JSON.stringify({
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: ACCOUNT,
    time,
    region: REGION,
    resources: [arn],
    detail: {},
  });
}
