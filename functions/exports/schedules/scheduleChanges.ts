import { EXPORT_SCHEDULES_MAXIMUM } from '../../../schemas/exports.ts';
import { LENGTH } from '../../rollups/grain.ts';
import { ProblemError } from '../../shared/problem.ts';
import { toIso } from '../../shared/toIso.ts';
import type { StoredSchedule } from './schedule.store.ts';

/** Longer than the period in which a call may be retried under its idempotency key. */
const TOMBSTONE_MS = 2 * LENGTH.day;

/** Drops tombstones that have expired at `now` (epoch milliseconds). */
const withoutExpiredTombstones = (schedules: readonly StoredSchedule[], now: number): StoredSchedule[] =>
  schedules.filter(({ deleted_at }) => deleted_at === null || Date.parse(deleted_at) + TOMBSTONE_MS > now);

/** Adds a schedule. Throws VALIDATION_FAILED when the tenant has reached the limit. */
export const addSchedule = (
  schedules: readonly StoredSchedule[],
  schedule: StoredSchedule,
  now: number,
): StoredSchedule[] => {
  if (schedules.filter(({ deleted_at }) => deleted_at === null).length >= EXPORT_SCHEDULES_MAXIMUM) {
    throw new ProblemError(
      'VALIDATION_FAILED',
      `Export schedule limit reached (${EXPORT_SCHEDULES_MAXIMUM} per tenant). Delete a schedule first.`,
      {
        errors: [{ pointer: '', detail: `a tenant has at most ${EXPORT_SCHEDULES_MAXIMUM} schedules` }],
      },
    );
  }
  return [...withoutExpiredTombstones(schedules, now), schedule];
};

/** Marks a schedule as deleted at `now` (epoch milliseconds). */
export const removeSchedule = (
  schedules: readonly StoredSchedule[],
  id: string,
  now: number,
): StoredSchedule[] =>
  withoutExpiredTombstones(schedules, now).map((schedule) =>
    schedule.id === id ? { ...schedule, deleted_at: toIso(now) } : schedule,
  );
