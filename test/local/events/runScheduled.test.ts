import { expect, test } from 'vitest';
import { runScheduled } from '../../../local/events/runScheduled.ts';
import type { ScheduleDeclaration } from '../../../local/template/schedules.ts';

const HOURLY: ScheduleDeclaration = {
  logicalId: 'WorkersJobPeriod01234567',
  arn: 'arn:aws:events:us-east-1:000000000000:Hourly',
  service: 'events',
  intervalMs: 3_600_000,
  targetArn: 'arn:job',
  input: 'the input',
};

test('passes the input of a schedule to its target', async () => {
  const calls: string[][] = [];

  await runScheduled([HOURLY], 'WorkersJob', async (targetArn, event) => {
    calls.push([targetArn, event]);
  });

  expect(calls).toEqual([['arn:job', 'the input']]);
});

test('throws when the target fails', async () => {
  const fail = async () => {
    throw new Error('a failure');
  };

  await expect(runScheduled([HOURLY], 'WorkersJob', fail)).rejects.toThrow('a failure');
});

test('throws for a construct without a schedule', async () => {
  await expect(runScheduled([HOURLY], 'WorkersNone', async () => undefined)).rejects.toThrow('WorkersNone');
});
