import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Operations } from '../awsJson.ts';
import { AwsError } from '../awsService.ts';
import type { Executions } from './stateMachineExecutions.ts';
import type { Machine } from './stateMachineRun.ts';
import { type Execution, ExecutionStatus } from './stateMachineStore.ts';
import { PAYLOAD_LIMIT_BYTES } from './stateMachineTask.ts';

const StartRequest = z.object({
  stateMachineArn: z.string(),
  name: z.string().optional(),
  input: z.string().default('{}'),
});
const MachineRequest = z.object({ stateMachineArn: z.string() });
const ExecutionRequest = z.object({ executionArn: z.string() });
const StopRequest = ExecutionRequest.extend({
  error: z.string().max(256).optional(),
  cause: z.string().max(32_768).optional(),
});
const ListRequest = z.object({
  stateMachineArn: z.string(),
  statusFilter: ExecutionStatus.or(z.literal('PENDING_REDRIVE')).optional(),
  // 0 requests the default, 100.
  maxResults: z.number().int().min(0).max(1000).default(0),
  nextToken: z.string().optional(),
});
const LIST_DEFAULT = 100;

/** 1 to 80 characters, without white space, brackets, wildcards, control characters or other special characters. */
const NAME = /^[^\s\p{Cc}<>{}[\]?*"#%\\^|~`$&,;:/]{1,80}$/u;

/** The supported Step Functions operations. */
export const operationsOn = (executions: Executions): Operations => ({
  StartExecution(body) {
    const { stateMachineArn, name = randomUUID(), input } = StartRequest.parse(body);
    const machine = requireMachine(executions, stateMachineArn);
    if (!NAME.test(name)) throw new AwsError('InvalidName', `Invalid Name: '${name}'`);
    checkInput(input);
    const arn = `${machine.arn.replace(':stateMachine:', ':execution:')}:${name}`;
    const existing = executions.store.find(arn);
    if (existing && (existing.status !== 'RUNNING' || existing.input !== input)) {
      throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
    }
    const { startedAt } = existing ?? executions.start(machine, { arn, name, input });
    return { executionArn: arn, startDate: seconds(startedAt) };
  },
  DescribeStateMachine(body) {
    const { arn } = requireMachine(executions, MachineRequest.parse(body).stateMachineArn);
    return { stateMachineArn: arn, status: 'ACTIVE', type: 'STANDARD' };
  },
  DescribeExecution(body) {
    const execution = requireExecution(executions, ExecutionRequest.parse(body).executionArn);
    const { input, output, error, cause } = execution;
    return {
      ...toListItem(execution),
      input,
      inputDetails: { included: true },
      ...(output !== null && { output, outputDetails: { included: true } }),
      ...(error !== null && { error }),
      ...(cause !== null && { cause }),
      redriveStatus: 'NOT_REDRIVABLE',
    };
  },
  StopExecution(body) {
    const { executionArn, error, cause } = StopRequest.parse(body);
    const { status, stoppedAt } = requireExecution(executions, executionArn);
    if (status !== 'RUNNING') return { stopDate: seconds(stoppedAt ?? 0) };
    return { stopDate: seconds(executions.stop(executionArn, { status: 'ABORTED', error, cause })) };
  },
  ListExecutions(body) {
    const { stateMachineArn, statusFilter, maxResults, nextToken } = ListRequest.parse(body);
    const machineArn = requireMachine(executions, stateMachineArn).arn;
    if (statusFilter === 'PENDING_REDRIVE') return { executions: [] };
    const limit = maxResults || LIST_DEFAULT;
    const before = nextToken === undefined ? undefined : readToken(nextToken);
    // One extra row shows whether there is another page.
    const rows = executions.store.list({ machineArn, status: statusFilter, before, limit: limit + 1 });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      executions: page.map(toListItem),
      ...(rows.length > limit && last && { nextToken: Buffer.from(String(last.id)).toString('base64url') }),
    };
  },
});

function requireMachine(executions: Executions, arn: string): Machine {
  const machine = executions.machine(arn);
  if (machine) return machine;
  throw new AwsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
}

function requireExecution({ store }: Executions, arn: string): Execution {
  const execution = store.find(arn);
  if (execution) return execution;
  throw new AwsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
}

function checkInput(input: string): void {
  if (Buffer.byteLength(input) > PAYLOAD_LIMIT_BYTES) {
    throw new AwsError(
      'InvalidExecutionInput',
      `The input exceeds the limit of ${PAYLOAD_LIMIT_BYTES} bytes`,
    );
  }
  try {
    JSON.parse(input);
  } catch {
    throw new AwsError('InvalidExecutionInput', 'Invalid State Machine Execution Input: it is not JSON');
  }
}

function readToken(token: string): number {
  const id = Number(Buffer.from(token, 'base64url').toString());
  if (Number.isInteger(id) && id > 0) return id;
  throw new AwsError('InvalidToken', `Invalid Token: '${token}'`);
}

/** The protocol uses epoch seconds. */
const seconds = (milliseconds: number): number => milliseconds / 1000;

const toListItem = ({ arn, machineArn, name, status, startedAt, stoppedAt }: Execution): object => ({
  executionArn: arn,
  stateMachineArn: machineArn,
  name,
  status,
  startDate: seconds(startedAt),
  ...(stoppedAt !== null && { stopDate: seconds(stoppedAt) }),
  redriveCount: 0,
});
