import type { ExportRef } from './export.store.ts';

// Loaded on first use: most invocations access no execution.
const client = () => import('../../../platform/shared/aws/sfn.client.ts');

/** State machine executions of exports. An export has one execution, named after its job id. */
export interface Executions {
  /** Starts the execution of an export. Idempotent. Returns false when the execution has already ended. */
  readonly start: (name: ExportRef) => Promise<boolean>;
  readonly isRunning: (name: ExportRef) => Promise<boolean>;
  readonly stop: (name: ExportRef) => Promise<void>;
}

export const executions = (machineArn: string): Executions => {
  const arnOf = ({ job_id }: ExportRef): string =>
    `${machineArn.replace(':stateMachine:', ':execution:')}:${job_id}`;
  return {
    start: async ({ tenant_id, job_id }) => {
      const { sfn, StartExecutionCommand, ExecutionAlreadyExists } = await client();
      const input = JSON.stringify({ tenant_id, job_id });
      try {
        await sfn.send(new StartExecutionCommand({ stateMachineArn: machineArn, name: job_id, input }));
        return true;
      } catch (error) {
        if (error instanceof ExecutionAlreadyExists) return false;
        throw error;
      }
    },
    isRunning: async (name) => {
      const { sfn, DescribeExecutionCommand, ExecutionDoesNotExist } = await client();
      try {
        const { status } = await sfn.send(new DescribeExecutionCommand({ executionArn: arnOf(name) }));
        return status === 'RUNNING';
      } catch (error) {
        if (error instanceof ExecutionDoesNotExist) return false;
        throw error;
      }
    },
    stop: async (name) => {
      const { sfn, StopExecutionCommand } = await client();
      await sfn.send(new StopExecutionCommand({ executionArn: arnOf(name), error: 'TimedOut' }));
    },
  };
};
