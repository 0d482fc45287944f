import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../jsonFile.ts';
import { ACCOUNT, REGION } from '../template/names.ts';
import type { ScheduleDeclaration } from '../template/schedules.ts';

/** The maximum delay of a Node timer. A longer one would end immediately. */
const TIMER_LIMIT_MS = 2 ** 31 - 1;

/** When each schedule last ran, by its key. Epoch milliseconds. */
const LastRuns = z.record(z.string(), z.number());

/** A rule can have several targets. */
const keyOf = ({ logicalId, targetArn }: ScheduleDeclaration): string => `${logicalId} ${targetArn}`;

export interface Scheduler {
  stop(): void;
}

/**
 * Invokes functions and starts state machines at a fixed rate. The first call is one period after the first start. The file
 * keeps when each schedule ran, so a schedule whose period ended while the machine was off runs when it starts, once. A failed
 * call is not retried before the next period.
 */
export function startScheduler(
  schedules: readonly ScheduleDeclaration[],
  file: string,
  invoke: (targetArn: string, event: string) => void,
): Scheduler {
  const startedAt = Date.now();
  const stored = readJsonFile(file, LastRuns) ?? {};
  const lastRuns = Object.fromEntries(
    // A time in the future is that of a clock that was set back since.
    schedules.map((schedule) => [keyOf(schedule), Math.min(stored[keyOf(schedule)] ?? startedAt, startedAt)]),
  );
  const keep = (): void => {
    try {
      writeJsonFile(file, lastRuns);
    } catch {
      // A full disk must not end the service. After the next start, a schedule then runs once too often.
    }
  };
  keep();
  const timers = new Map<string, NodeJS.Timeout>();
  const arm = (schedule: ScheduleDeclaration): void => {
    const { intervalMs, targetArn } = schedule;
    const key = keyOf(schedule);
    const remaining = (lastRuns[key] ?? startedAt) + intervalMs - Date.now();
    const timer = setTimeout(
      () => {
        if (remaining <= TIMER_LIMIT_MS) {
          lastRuns[key] = Date.now();
          keep();
          invoke(targetArn, scheduledEvent(schedule, new Date()));
        }
        arm(schedule);
      },
      Math.max(0, Math.min(remaining, TIMER_LIMIT_MS)),
    );
    timers.set(key, timer);
  };
  for (const schedule of schedules) arm(schedule);
  return {
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
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
