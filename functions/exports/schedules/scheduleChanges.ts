import { EXPORT_SCHEDULES_MAXIMUM } from '../../../schemas/exports.ts';
import { LENGTH } from '../../rollups/grain.ts';
import { ProblemError } from '../../shared/problem.ts';
import type { StoredSchedule } from './schedule.store.ts';

/** Longer than a call may be repeated under its key. */
const TOMBSTONE_MS = 2 * LENGTH.day;

/** What is still to be remembered at `now` (epoch milliseconds). */
const withoutExpiredTombstones = (schedules: readonly StoredSchedule[], now: number): StoredSchedule[] =>
  schedules.filter(({ deleted_at }) => deleted_at === null || Date.parse(deleted_at) + TOMBSTONE_MS > now);

/** The schedules with one more. Throws VALIDATION_FAILED where there are as many as there may be. */
export const addSchedule = (
  schedules: readonly StoredSchedule[],
  schedule: StoredSchedule,
  now: number,
): StoredSchedule[] => {
  if (schedules.filter(({ deleted_at }) => deleted_at === null).length >= EXPORT_SCHEDULES_MAXIMUM) {
    throw new ProblemError('VALIDATION_FAILED', 'The tenant has as many schedules as it may.', {
      errors: [{ pointer: '', detail: `a tenant has at most ${EXPORT_SCHEDULES_MAXIMUM} schedules` }],
    });
  }
  return [...withoutExpiredTombstones(schedules, now), schedule];
};

/** The schedules without one. */
export const removeSchedule = (
  schedules: readonly StoredSchedule[],
  id: string,
  now: number,
): StoredSchedule[] =>
  withoutExpiredTombstones(schedules, now).map((schedule) =>
    schedule.id === id ? { ...schedule, deleted_at: new Date(now).toISOString() } : schedule,
  );
