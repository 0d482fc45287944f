import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { scheduledEvent, startScheduler } from '../../../local/events/scheduler.ts';
import type { ScheduleDeclaration } from '../../../local/template/schedules.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const HOURLY: ScheduleDeclaration = {
  logicalId: 'Hourly',
  arn: 'arn:aws:events:us-east-1:000000000000:Hourly',
  service: 'events',
  intervalMs: 3_600_000,
  targetArn: 'arn:job',
  input: undefined,
};
const DAY_MS = 86_400_000;
const AT = new Date('2026-01-02T03:04:05.678Z');

let file: string;
let calls: string[];
const start = (intervalMs = HOURLY.intervalMs) =>
  startScheduler([{ ...HOURLY, intervalMs }], file, (targetArn) => calls.push(targetArn));

beforeEach(() => {
  vi.useFakeTimers();
  file = join(temporaryDirectory(), 'schedules.json');
  calls = [];
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a schedule', () => {
  test('invokes its target after each period until it is stopped', () => {
    const scheduler = start();

    vi.advanceTimersByTime(3_599_999);
    const early = calls.length;
    vi.advanceTimersByTime(3_600_001);
    scheduler.stop();
    vi.advanceTimersByTime(7_200_000);

    expect(early).toBe(0);
    expect(calls).toEqual(['arn:job', 'arn:job']);
  });

  test('keeps its period across starts that come more often', () => {
    for (let minutes = 0; minutes < 60; minutes += 10) {
      const scheduler = start();
      vi.advanceTimersByTime(600_000);
      scheduler.stop();
    }

    expect(calls).toEqual(['arn:job']);
  });

  test('runs once at a start after a time in which it was due, and then after each period', () => {
    start().stop();
    vi.setSystemTime(Date.now() + 3 * DAY_MS);

    start();
    vi.advanceTimersByTime(1);
    const caughtUp = calls.length;
    vi.advanceTimersByTime(3_600_000);

    expect(caughtUp).toBe(1);
    expect(calls).toEqual(['arn:job', 'arn:job']);
  });

  test('runs also when the disk takes no file', () => {
    file = '/dev/null/schedules.json';

    start();
    vi.advanceTimersByTime(3_600_000);

    expect(calls).toEqual(['arn:job']);
  });

  test('runs after a period when the clock was set back', () => {
    start().stop();
    vi.setSystemTime(Date.now() - DAY_MS);

    start();
    vi.advanceTimersByTime(3_600_000);

    expect(calls).toEqual(['arn:job']);
  });

  test('runs after a period above the timer limit', () => {
    start(60 * DAY_MS);
    vi.advanceTimersByTime(60 * DAY_MS - 1);
    const early = calls.length;
    vi.advanceTimersByTime(1);

    expect([early, calls.length]).toEqual([0, 1]);
  });

  test('sends the EventBridge scheduled event', () => {
    expect(JSON.parse(scheduledEvent(HOURLY, AT))).toMatchObject({
      source: 'aws.events',
      'detail-type': 'Scheduled Event',
      time: '2026-01-02T03:04:05Z',
      resources: [HOURLY.arn],
      detail: {},
    });
  });

  test('sends its own input, with the scheduled time in place of the placeholder', () => {
    const input = '{"at":"<aws.scheduler.scheduled-time>"}';
    expect(scheduledEvent({ ...HOURLY, service: 'scheduler', input }, AT)).toBe(
      '{"at":"2026-01-02T03:04:05Z"}',
    );
  });
});
