import { DAY_MS } from '../../../../schemas/durations.ts';
import { EXPORT_SCHEDULES_MAXIMUM } from '../../../../schemas/exports.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { isInLane } from '../../../platform/tenancy/residency.ts';
import type { StoredSchedule } from './schedule.store.ts';

/** Longer than the period in which a call may be retried under its idempotency key. */
const TOMBSTONE_MS = 2 * DAY_MS;

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

/**
 * The schedule with this id. Throws NOT_FOUND when there is none, and RESIDENCY_BLOCKED when it belongs to another lane than
 * the credential.
 */
export const requireSchedule = (
  schedules: readonly StoredSchedule[],
  id: string,
  residency: string | null,
): StoredSchedule => {
  const schedule = schedules.find((candidate) => candidate.id === id);
  if (schedule === undefined || schedule.deleted_at !== null) {
    throw new ProblemError('NOT_FOUND', 'There is no export schedule with this id.');
  }
  if (!isInLane(schedule, residency)) {
    throw new ProblemError(
      'RESIDENCY_BLOCKED',
      'The schedule belongs to another residency lane than the credential. Use a credential of that lane.',
    );
  }
  return schedule;
};

/** Replaces the schedule that has the same id. */
export const replaceSchedule = (
  schedules: readonly StoredSchedule[],
  changed: StoredSchedule,
  now: number,
): StoredSchedule[] =>
  withoutExpiredTombstones(schedules, now).map((schedule) =>
    schedule.id === changed.id ? changed : schedule,
  );

/** Marks a schedule as deleted at `now` (epoch milliseconds). */
export const removeSchedule = (
  schedules: readonly StoredSchedule[],
  id: string,
  now: number,
): StoredSchedule[] =>
  withoutExpiredTombstones(schedules, now).map((schedule) =>
    schedule.id === id ? { ...schedule, deleted_at: toIso(now) } : schedule,
  );
