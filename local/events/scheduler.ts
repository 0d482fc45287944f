import { randomUUID } from 'node:crypto';
import { ACCOUNT, REGION } from '../template/names.ts';
import type { ScheduleDeclaration } from '../template/schedules.ts';

/** The maximum delay of a Node timer. A longer period would fire immediately, again and again. */
const TIMER_LIMIT_MS = 2 ** 31 - 1;

export interface Scheduler {
  stop(): void;
}

/**
 * Invokes functions and starts state machines at a fixed rate. The first call is one period after the start. A failed call
 * is not retried before the next period.
 */
export function startScheduler(
  schedules: ScheduleDeclaration[],
  invoke: (targetArn: string, event: string) => void,
): Scheduler {
  const timers = schedules
    .filter(({ intervalMs }) => intervalMs <= TIMER_LIMIT_MS)
    .map((schedule) =>
      setInterval(
        () => invoke(schedule.targetArn, scheduledEvent(schedule, new Date())),
        schedule.intervalMs,
      ),
    );
  return {
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

/** The JSON event of one call: the input of the schedule, or the default event of its service. */
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
