import { afterEach, describe, expect, test, vi } from 'vitest';
import { scheduledEvent, startScheduler } from '../../../local/events/scheduler.ts';
import type { ScheduleDeclaration } from '../../../local/template/schedules.ts';

const HOURLY: ScheduleDeclaration = {
  logicalId: 'Hourly',
  arn: 'arn:aws:events:us-east-1:000000000000:Hourly',
  service: 'events',
  intervalMs: 3_600_000,
  targetArn: 'arn:job',
  input: undefined,
};
const AT = new Date('2026-01-02T03:04:05.678Z');

afterEach(() => {
  vi.useRealTimers();
});

describe('a schedule', () => {
  test('invokes its target after each period until it is stopped', () => {
    vi.useFakeTimers();
    const calls: string[] = [];
    const scheduler = startScheduler([HOURLY], (targetArn) => calls.push(targetArn));

    vi.advanceTimersByTime(3_599_999);
    const early = calls.length;
    vi.advanceTimersByTime(3_600_001);
    scheduler.stop();
    vi.advanceTimersByTime(7_200_000);

    expect(early).toBe(0);
    expect(calls).toEqual(['arn:job', 'arn:job']);
  });

  test('does not run for a period above the timer limit', () => {
    vi.useFakeTimers();
    const calls: string[] = [];
    startScheduler([{ ...HOURLY, intervalMs: 60 * 86_400_000 }], (targetArn) => calls.push(targetArn));
    vi.advanceTimersByTime(86_400_000);
    expect(calls).toEqual([]);
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
