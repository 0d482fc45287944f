import { SFNClient } from '@aws-sdk/client-sfn';
import { publishCalls, requestHandler } from './calls/awsCalls.ts';

export const sfn = new SFNClient({ requestHandler, maxAttempts: 3 });
publishCalls(sfn.middlewareStack, 'sfn');

export {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
