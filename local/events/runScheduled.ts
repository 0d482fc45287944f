import type { ScheduleDeclaration } from '../template/schedules.ts';
import { scheduledEvent } from './scheduler.ts';

/**
 * Passes the event of the schedule whose logical id starts with `construct` to its target, without waiting for its period.
 * Throws if there is none, and when the target fails.
 */
export const runScheduled = async (
  schedules: readonly ScheduleDeclaration[],
  construct: string,
  pass: (targetArn: string, event: string) => Promise<void>,
): Promise<void> => {
  const schedule = schedules.find(({ logicalId }) => logicalId.startsWith(construct));
  if (schedule === undefined) throw new Error(`No schedule begins with ${construct}.`);
  await pass(schedule.targetArn, scheduledEvent(schedule, new Date()));
};
