import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  DescribeExecutionCommand,
  type DescribeExecutionCommandOutput,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AwsCredentials } from '../../local/engines/awsCredentials.ts';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { CLIENT } from './runningFixture.ts';
import { type Fixture, logicalId } from './stackFixture.ts';
import { synthesiseMachines } from './stateMachineFixture.ts';

let fixture: Fixture;

beforeAll(() => {
  fixture = synthesiseMachines();
});

afterAll(() => fixture.remove());

const start = (dataDir: string): Promise<Runtime> =>
  startRuntime({
    template: fixture.template,
    assemblyDir: fixture.assemblyDir,
    dataDir: join(fixture.directory, dataDir),
    port: 0,
    log: () => {},
  });

/** A client for the state machines of one running instance. */
function connect(endpoint: string, credentials = CLIENT.credentials) {
  const sfn = new SFNClient({ ...CLIENT, credentials, endpoint, maxAttempts: 1 });
  const arnOf = (machine: string): string => {
    const name = logicalId(fixture.template, 'AWS::StepFunctions::StateMachine', machine);
    return `arn:aws:states:us-east-1:000000000000:stateMachine:${name}`;
  };
  const describe = (executionArn: string) => sfn.send(new DescribeExecutionCommand({ executionArn }));
  return {
    startExecution: async (machine: string, input: object, name?: string): Promise<string> => {
      const command = { stateMachineArn: arnOf(machine), input: JSON.stringify(input), name };
      return (await sfn.send(new StartExecutionCommand(command))).executionArn ?? '';
    },
    describe,
    waitForEnd: async (executionArn: string): Promise<DescribeExecutionCommandOutput> => {
      await expect.poll(async () => (await describe(executionArn)).status).not.toBe('RUNNING');
      return describe(executionArn);
    },
    stop: (executionArn: string) =>
      sfn.send(new StopExecutionCommand({ executionArn, error: 'Unwanted', cause: 'no need' })),
    list: (machine: string, rest: object = {}) =>
      sfn.send(new ListExecutionsCommand({ stateMachineArn: arnOf(machine), ...rest })),
    close: () => sfn.destroy(),
  };
}

let logs = 0;
/** A log file for the function calls of one execution, with a reader for its lines. */
function newLog() {
  logs += 1;
  const log = join(fixture.directory, `calls-${logs}`);
  return { log, calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []) };
}

describe('a state machine', () => {
  let runtime: Runtime;
  let machines: ReturnType<typeof connect>;

  beforeAll(async () => {
    runtime = await start('running');
    machines = connect(runtime.endpoints.sfn);
  });

  afterAll(async () => {
    machines.close();
    await runtime.stop();
  });

  test('invokes its functions, once per map item, and passes their results on', async () => {
    const { log, calls } = newLog();
    const { status, output } = await machines.waitForEnd(
      await machines.startExecution('Machine', { log, items: [1, 2, 3], given: {} }),
    );
    expect(status).toBe('SUCCEEDED');
    expect(JSON.parse(output ?? '')).toMatchObject({
      plan: { items: [1, 2, 3] },
      results: [{ doubled: 2 }, { doubled: 4 }, { doubled: 6 }],
      finished: { status: 200, answer: { doubled: 0 } },
    });
    expect(calls().sort()).toEqual(['finish', 'item 1', 'item 2', 'item 3', 'plan']);
  });

  test('takes the default branch of a choice when there are no results', async () => {
    const { log, calls } = newLog();
    await machines.waitForEnd(await machines.startExecution('Machine', { log, items: [], given: {} }));
    expect(calls()).toEqual(['plan']);
  });

  test('retries a task that fails with a retryable error', async () => {
    const { log, calls } = newLog();
    const { status } = await machines.waitForEnd(
      await machines.startExecution('Machine', { log, items: [1], given: { busyTimes: 1 } }),
    );
    expect([status, calls()]).toEqual(['SUCCEEDED', ['plan', 'item 1', 'item 1', 'finish']]);
  });

  test('catches a failure, starts no further item and returns the error and its cause', async () => {
    const { log, calls } = newLog();
    const items = Array.from({ length: 20 }, (_, index) => index + 1);
    const { status, error, cause } = await machines.waitForEnd(
      await machines.startExecution('Machine', { log, items, given: { brokenItem: 1 } }),
    );
    expect([status, error, JSON.parse(cause ?? '')]).toMatchObject([
      'FAILED',
      'BrokenItem',
      { errorType: 'BrokenItem', errorMessage: 'no 1' },
    ]);
    // With a concurrency of two, items 1 and 2 start together.
    expect(calls().filter((call) => !/^item [12]$/.test(call))).toEqual([
      'plan',
      'clean up',
      'clean up waited',
    ]);
  });

  test.each(['plan', 'finish'])(
    'fails without running its catch when %s returns more than the size limit of a state',
    async (step) => {
      const { log, calls } = newLog();
      const { status, error } = await machines.waitForEnd(
        await machines.startExecution('Machine', { log, items: [1], given: { largeStep: step } }),
      );
      expect([status, error, calls().includes('clean up')]).toEqual([
        'FAILED',
        'States.DataLimitExceeded',
        false,
      ]);
    },
  );

  test('runs parallel branches, waits and returns the execution name', async () => {
    const { status, output } = await machines.waitForEnd(
      await machines.startExecution('Pausing', { seconds: 0 }, 'named'),
    );
    expect([status, output]).toEqual(['SUCCEEDED', '{"name":"named"}']);
  });

  test('times out after the timeout of the state machine', async () => {
    const { status } = await machines.waitForEnd(await machines.startExecution('Pausing', { seconds: 3600 }));
    expect(status).toBe('TIMED_OUT');
  });

  test('keeps the runtime busy until its execution ends', async () => {
    const arn = await machines.startExecution('Pausing', { seconds: 1 });
    await runtime.idle();
    expect((await machines.describe(arn)).status).toBe('SUCCEEDED');
  });

  test('rejects an unknown execution, an invalid name and a large input as Step Functions does', async () => {
    const unknownArn = 'arn:aws:states:us-east-1:000000000000:execution:None:none';
    await expect(machines.describe(unknownArn)).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' });
    await expect(machines.startExecution('Pausing', {}, 'a b')).rejects.toMatchObject({
      name: 'InvalidName',
    });
    await expect(machines.startExecution('Pausing', { text: 'x'.repeat(300_000) })).rejects.toMatchObject({
      name: 'InvalidExecutionInput',
    });
  });
});

describe('an execution', () => {
  let runtime: Runtime;
  let machines: ReturnType<typeof connect>;

  beforeAll(async () => {
    runtime = await start('executions');
    machines = connect(runtime.endpoints.sfn);
  });

  afterAll(async () => {
    machines.close();
    await runtime.stop();
  });

  test('starts once for the same name and input while it runs', async () => {
    const { log, calls } = newLog();
    const input = { log, items: [1], given: { waitMs: 200 } };
    const [first, again] = await Promise.all([
      machines.startExecution('Machine', input, 'once'),
      machines.startExecution('Machine', input, 'once'),
    ]);
    const other = machines.startExecution('Machine', { ...input, items: [2] }, 'once');
    await expect(other).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    expect(again).toBe(first);
    await machines.waitForEnd(first);
    expect(calls().filter((call) => !call.endsWith('waited'))).toEqual(['plan', 'item 1', 'finish']);
    const late = machines.startExecution('Machine', input, 'once');
    await expect(late).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
  });

  test('stops with the given reason, invokes nothing more and ignores a second stop', async () => {
    const { log, calls } = newLog();
    const arn = await machines.startExecution('Machine', { log, items: [1], given: { waitMs: 2_000 } });
    await expect.poll(calls).toEqual(['plan']);
    const { stopDate } = await machines.stop(arn);
    const again = await machines.stop(arn);
    await runtime.idle();
    expect(await machines.describe(arn)).toMatchObject({
      status: 'ABORTED',
      error: 'Unwanted',
      cause: 'no need',
      stopDate,
    });
    expect([again.stopDate, calls()]).toEqual([stopDate, ['plan', 'plan waited']]);
  });

  test('is listed by machine and status, newest first, in pages', async () => {
    const arns: string[] = [];
    for (const name of ['a', 'b', 'c'])
      arns.push(await machines.startExecution('Pausing', { seconds: 0 }, name));
    await runtime.idle();
    const first = await machines.list('Pausing', { maxResults: 2 });
    const rest = await machines.list('Pausing', { nextToken: first.nextToken });
    expect([...(first.executions ?? []), ...(rest.executions ?? [])]).toMatchObject(
      arns.toReversed().map((executionArn) => ({ executionArn, status: 'SUCCEEDED' })),
    );
    expect(rest.nextToken).toBeUndefined();
    expect((await machines.list('Pausing', { statusFilter: 'RUNNING' })).executions).toEqual([]);
  });
});

/** Starts the fixture in its own process group and waits until it serves. */
async function startChild(dataDir: string): Promise<{
  endpoint: string;
  credentials: AwsCredentials;
  kill: () => Promise<void>;
}> {
  const program = fileURLToPath(new URL('./crash.child.ts', import.meta.url));
  const data = join(fixture.directory, dataDir);
  const child = spawn(process.execPath, [program, fixture.assemblyDir, data], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(String(chunk))),
  );
  const { endpoints, credentials } = JSON.parse(line);
  return {
    endpoint: endpoints.sfn,
    credentials,
    kill: () => {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      return exited;
    },
  };
}

describe('a schedule rule', () => {
  test('starts its state machine after one period, with its input', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const runtime = await start('scheduled');
    vi.advanceTimersByTime(3_600_000);
    vi.useRealTimers();
    await runtime.idle();
    const machines = connect(runtime.endpoints.sfn);
    const { executions = [] } = await machines.list('Pausing');
    const [{ executionArn = '' } = {}] = executions;
    expect(executions).toHaveLength(1);
    expect(await machines.describe(executionArn)).toMatchObject({
      status: 'SUCCEEDED',
      input: '{"seconds":0}',
    });
    machines.close();
    await runtime.stop();
  });
});

describe('a restart', () => {
  test('runs a killed execution again under its name, and keeps a finished execution', async () => {
    const { log, calls } = newLog();
    const child = await startChild('killed');
    const before = connect(child.endpoint, child.credentials);
    const finished = await before.waitForEnd(
      await before.startExecution('Pausing', { seconds: 0 }, 'finished'),
    );
    const killed = await before.startExecution(
      'Machine',
      { log, items: [1, 2], given: { waitMs: 1_000 } },
      'killed',
    );
    await expect.poll(calls).toContain('item 1');
    const { startDate } = await before.describe(killed);
    before.close();
    await child.kill();

    const runtime = await start('killed');
    const after = connect(runtime.endpoints.sfn);
    expect(await after.waitForEnd(killed)).toMatchObject({ status: 'SUCCEEDED', name: 'killed', startDate });
    expect(calls().filter((call) => call === 'plan')).toEqual(['plan', 'plan']);
    expect(calls().filter((call) => call === 'finish')).toEqual(['finish']);
    const { $metadata: _, ...described } = await after.describe(finished.executionArn ?? '');
    expect(finished).toMatchObject(described);
    after.close();
    await runtime.stop();
  });

  test('runs a stopped execution again, after its running function call has finished', async () => {
    const { log, calls } = newLog();
    const first = await start('stopped');
    const before = connect(first.endpoints.sfn);
    const waiting = await before.startExecution('Pausing', { seconds: 1 });
    const interrupted = await before.startExecution('Machine', { log, items: [1], given: { waitMs: 1_000 } });
    await expect.poll(calls).toEqual(['plan']);
    before.close();
    await first.stop();
    const atStop = calls();

    const second = await start('stopped');
    const after = connect(second.endpoints.sfn);
    await second.idle();
    expect(atStop).toEqual(['plan', 'plan waited']);
    expect(calls().slice(2)).toEqual(
      ['plan', 'item 1', 'finish'].flatMap((call) => [call, `${call} waited`]),
    );
    expect([(await after.describe(interrupted)).status, (await after.describe(waiting)).status]).toEqual([
      'SUCCEEDED',
      'SUCCEEDED',
    ]);
    after.close();
    await second.stop();
  });
});
