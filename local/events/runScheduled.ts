import type { InvocationResult } from '../lambda/sandbox.ts';
import type { FunctionDeclaration } from '../template/functions.ts';
import type { ScheduleDeclaration } from '../template/schedules.ts';
import { scheduledEvent } from './scheduler.ts';

/**
 * Runs the scheduled function whose logical id starts with `construct`, without waiting for its period. Throws if there is
 * none, and when the run fails.
 */
export const runScheduled = async (
  {
    functions,
    schedules,
  }: {
    readonly functions: readonly Pick<FunctionDeclaration, 'logicalId' | 'arn'>[];
    readonly schedules: readonly ScheduleDeclaration[];
  },
  construct: string,
  invoke: (targetArn: string, event: string) => Promise<InvocationResult>,
): Promise<void> => {
  const target = functions.find(({ logicalId }) => logicalId.startsWith(construct));
  const schedule = schedules.find(({ targetArn }) => targetArn === target?.arn);
  if (schedule === undefined) throw new Error(`No function of a schedule begins with ${construct}.`);
  const result = await invoke(schedule.targetArn, scheduledEvent(schedule, new Date()));
  if (!result.ok) throw new Error(`The run of ${construct} failed: ${result.error.errorMessage}`);
};
