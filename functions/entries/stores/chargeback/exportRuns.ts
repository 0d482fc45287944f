import { type Executions, executions } from '../../../chargeback/exports/job/execution.aws.ts';

type ExecutionStarter = Pick<Executions, 'start'>;
export const exportRunsStart = (machine: string): { readonly executions: ExecutionStarter } => ({
  executions: executions(machine),
});

export const exportRunsManage = (machine: string) => ({
  executions: executions(machine),
});
