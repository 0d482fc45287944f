import type * as z from 'zod';
import { EXPORT_SCHEDULES_MAXIMUM, ExportSchedule } from '../../../../schemas/chargeback/exports.ts';
import {
  type Count,
  type CountedCollection,
  countedCollection,
  headWithCount,
} from '../../../platform/shared/aws/countedCollection.store.ts';
import { Authorization } from '../../../platform/tenancy/authorization.ts';

/** A schedule as stored. */
export const StoredSchedule = ExportSchedule.extend({
  /** Who created or last changed the schedule. Its exports are made only while this principal may create exports. */
  authorized_by: Authorization,
});
export type StoredSchedule = z.infer<typeof StoredSchedule>;

export type ScheduleStore = CountedCollection<StoredSchedule, Count>;

export const scheduleStore = (table: string): ScheduleStore =>
  countedCollection(table, {
    prefix: 'schedule',
    name: 'schedules',
    shape: StoredSchedule,
    ...headWithCount,
  });

/** The API representation of a schedule. */
export const toSchedule = ({ authorized_by: _by, ...schedule }: StoredSchedule): ExportSchedule => schedule;

export interface ScheduleReader {
  /** Newest first. */
  readonly list: (tenantId: string) => Promise<StoredSchedule[]>;
}

export const scheduleReader = (table: string): ScheduleReader => ({
  list: (tenantId) =>
    scheduleStore(table).list(tenantId, { descending: true, limit: EXPORT_SCHEDULES_MAXIMUM }),
});
