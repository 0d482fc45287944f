import { EXPORT_SCHEDULES_MAXIMUM } from '../../../../schemas/chargeback/exports.ts';
import { tenantResource } from '../../../identity/audit/tenantResource.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';
import { isInLane } from '../../../platform/tenancy/residency.ts';
import { type ScheduleStore, StoredSchedule } from './schedule.store.ts';

/** The schedule, if it exists and the caller may see it. Throws NOT_FOUND or RESIDENCY_BLOCKED. */
export const requireVisible = ({ residency }: Caller, found: StoredSchedule | null): StoredSchedule => {
  if (found === null) throw new ProblemError('NOT_FOUND', 'There is no export schedule with this id.');
  if (isInLane(found.residency, residency)) return found;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'The schedule belongs to another residency lane than the credential. Use a credential of that lane.',
  );
};

export const scheduleResource = (schedules: ScheduleStore) =>
  tenantResource(
    {
      shape: StoredSchedule,
      name: 'export schedule',
      idPrefix: 'sch',
      maximum: EXPORT_SCHEDULES_MAXIMUM,
      requireVisible,
    },
    schedules,
  );
