import { expect, test } from 'vitest';
import { runScheduled } from '../../../local/events/runScheduled.ts';
import type { InvocationResult } from '../../../local/lambda/sandbox.ts';
import type { ScheduleDeclaration } from '../../../local/template/schedules.ts';

const HOURLY: ScheduleDeclaration = {
  logicalId: 'Hourly',
  arn: 'arn:aws:events:us-east-1:000000000000:Hourly',
  service: 'events',
  intervalMs: 3_600_000,
  targetArn: 'arn:job',
  input: 'the input',
};
const stack = {
  functions: [
    { logicalId: 'WorkersOtherFunction01234567', arn: 'arn:other' },
    { logicalId: 'WorkersJobFunction01234567', arn: 'arn:job' },
  ],
  schedules: [HOURLY],
};
const succeed = async (): Promise<InvocationResult> => ({ ok: true, payload: 'null' });

test('runs the function of a schedule with the input of the schedule', async () => {
  const calls: string[][] = [];

  await runScheduled(stack, 'WorkersJob', (targetArn, event) => {
    calls.push([targetArn, event]);
    return succeed();
  });

  expect(calls).toEqual([['arn:job', 'the input']]);
});

test('throws when the run fails', async () => {
  const error = { errorType: 'Error', errorMessage: 'a failure', trace: [] };

  await expect(runScheduled(stack, 'WorkersJob', async () => ({ ok: false, error }))).rejects.toThrow(
    'The run of WorkersJob failed: a failure',
  );
});

test.each(['WorkersOther', 'WorkersNone'])('throws for %s, which no schedule runs', async (construct) => {
  await expect(runScheduled(stack, construct, succeed)).rejects.toThrow(construct);
});
