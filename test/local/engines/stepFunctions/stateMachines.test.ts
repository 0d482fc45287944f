import { rmSync } from 'node:fs';
import {
  DescribeExecutionCommand,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOCAL_CREDENTIALS } from '../../../../local/engines/awsCredentials.ts';
import { type DataDirectory, lockDataDirectory } from '../../../../local/engines/dataDirectory.ts';
import { openExecutions } from '../../../../local/engines/stepFunctions/stateMachineStore.ts';
import {
  type StateMachinesEngine,
  startStateMachines,
} from '../../../../local/engines/stepFunctions/stateMachines.ts';
import type { StateMachineDeclaration } from '../../../../local/template/stateMachines.ts';
import { TemplateError } from '../../../../local/template/template.ts';
import { SIGNED } from '../../../support/localAws.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

const ARN = 'arn:aws:states:us-east-1:000000000000:stateMachine:It';
const DAY_MS = 86_400_000;

const machine = (States: StateMachineDeclaration['definition']['States']): StateMachineDeclaration => ({
  logicalId: 'It',
  name: 'It',
  arn: ARN,
  definition: { StartAt: 'First', States },
  tasks: {},
});
const SUCCEEDING = machine({ First: { Type: 'Succeed' } });
const rejectCalls = () => Promise.reject(new Error('no function is expected'));

let data: DataDirectory;
let engine: StateMachinesEngine;
let sfn: SFNClient;

async function start(): Promise<void> {
  engine = await startStateMachines(data);
  const credentials = LOCAL_CREDENTIALS;
  sfn = new SFNClient({ endpoint: engine.url, region: 'us-east-1', credentials, maxAttempts: 1 });
}

async function stop(): Promise<void> {
  sfn.destroy();
  await engine.stop();
}

beforeEach(async () => {
  data = lockDataDirectory(temporaryDirectory());
  await start();
});

afterEach(async () => {
  await stop();
  data.release();
  rmSync(data.path, { recursive: true });
});

describe('the Step Functions engine', () => {
  test('throws with the logical id of an invalid definition', async () => {
    const broken = machine({ First: { Type: 'Choice' } });
    const serving = engine.serve([broken], rejectCalls);
    await expect(serving).rejects.toThrow(TemplateError);
    await expect(serving).rejects.toThrow(/^It \(AWS::StepFunctions::StateMachine\): /);
  });

  test('throws for a definition that became invalid after a start, and again at the next start', async () => {
    await engine.serve([SUCCEEDING], rejectCalls);
    for (let restart = 0; restart < 2; restart += 1) {
      await stop();
      await start();
      await expect(engine.serve([machine({ First: { Type: 'Choice' } })], rejectCalls)).rejects.toThrow(
        TemplateError,
      );
    }
  });

  test('returns StateMachineDoesNotExist for an unknown machine', async () => {
    await engine.serve([SUCCEEDING], rejectCalls);
    const start = sfn.send(new StartExecutionCommand({ stateMachineArn: `${ARN}s` }));
    await expect(start).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' });
  });

  test('names an unsupported operation in its error', async () => {
    const response = await fetch(engine.url, {
      method: 'POST',
      headers: { 'x-amz-target': 'AWSStepFunctions.SendTaskSuccess', ...SIGNED },
      body: '{}',
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { __type: 'UnknownOperationException', message: 'The local engine does not support SendTaskSuccess' },
    ]);
  });

  test('runs an execution after a restart when it was started during a drain', async () => {
    await engine.serve([SUCCEEDING], rejectCalls);
    await engine.drain();
    const { executionArn } = await sfn.send(new StartExecutionCommand({ stateMachineArn: ARN }));
    await stop();
    await start();
    await engine.serve([SUCCEEDING], rejectCalls);
    await expect.poll(() => engine.running).toBe(0);
    expect(await sfn.send(new DescribeExecutionCommand({ executionArn }))).toMatchObject({
      status: 'SUCCEEDED',
    });
  });

  test('fails an unfinished execution when its machine is no longer declared', async () => {
    await engine.serve([SUCCEEDING], rejectCalls);
    await engine.drain();
    const { executionArn } = await sfn.send(new StartExecutionCommand({ stateMachineArn: ARN }));
    await stop();
    await start();
    await engine.serve([], rejectCalls);
    expect(await sfn.send(new DescribeExecutionCommand({ executionArn }))).toMatchObject({
      status: 'FAILED',
      error: 'States.Runtime',
      cause: 'The template no longer declares this state machine',
    });
  });

  test('rejects an unknown page token', async () => {
    await engine.serve([SUCCEEDING], rejectCalls);
    const list = sfn.send(new ListExecutionsCommand({ stateMachineArn: ARN, nextToken: 'made up' }));
    await expect(list).rejects.toMatchObject({ name: 'InvalidToken' });
  });
});

test('deletes an execution 90 days after its end, and keeps running executions', () => {
  const file = data.join('kept.db');
  const old = openExecutions(file, 0);
  for (const name of ['ended', 'running']) {
    old.add({ arn: name, machineArn: ARN, name, input: '{}', startedAt: 0 });
  }
  old.end('ended', { status: 'SUCCEEDED', output: '{}' }, 0);
  old.close();
  const names = (now: number) => {
    const store = openExecutions(file, now);
    const found = store.list({ machineArn: ARN, limit: 10 }).map(({ name }) => name);
    store.close();
    return found;
  };
  expect(names(90 * DAY_MS)).toEqual(['running', 'ended']);
  expect(names(90 * DAY_MS + 1)).toEqual(['running']);
});
