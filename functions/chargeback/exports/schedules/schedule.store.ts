import * as z from 'zod';
import { ExportSchedule } from '../../../../schemas/exports.ts';
import {
  NO_REVISION,
  type Revision,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../../platform/shared/aws/document.store.ts';
import { Authorization } from '../../../platform/tenancy/authorization.ts';

/** A schedule as stored. Deleted schedules are kept for as long as the call that created them may be retried. */
export const StoredSchedule = ExportSchedule.extend({
  /** Who created the schedule. Its exports are made only while this principal may create exports. */
  authorized_by: Authorization,
  deleted_at: z.iso.datetime().nullable(),
});
export type StoredSchedule = z.infer<typeof StoredSchedule>;

/** All schedules of a tenant in one document, so that the limit and each change are checked atomically. */
const Schedules = z.array(StoredSchedule);

const schedulesKey = (tenantId: string) => ({ pk: `schedules#${tenantId}`, sk: 'all' });

export interface ScheduleReader {
  /** Schedules that are not deleted, newest first. */
  readonly list: (tenantId: string) => Promise<ExportSchedule[]>;
  /** The same schedules, with their authorization. */
  readonly active: (tenantId: string) => Promise<StoredSchedule[]>;
}

export interface ScheduleStore {
  /** All schedules, oldest first, recently deleted ones included. */
  readonly find: (tenantId: string) => Promise<Versioned<StoredSchedule[]>>;
  readonly put: (
    tenantId: string,
    schedules: readonly StoredSchedule[],
    expectedRevision: Revision,
    by: Revision,
  ) => Write;
}

export const scheduleStore = (table: string): ScheduleStore => ({
  find: async (tenantId) =>
    (await readVersioned(table, schedulesKey(tenantId), Schedules)) ?? {
      document: [],
      revision: NO_REVISION,
    },
  put: (tenantId, schedules, expectedRevision, by) =>
    writeDocument(table, schedulesKey(tenantId), schedules, {
      expectedRevision: expectedRevision === NO_REVISION ? null : expectedRevision,
      by,
    }),
});

export const scheduleReader = (table: string): ScheduleReader => {
  const { find } = scheduleStore(table);
  const active = async (tenantId: string): Promise<StoredSchedule[]> => {
    const { document } = await find(tenantId);
    return document.filter(({ deleted_at }) => deleted_at === null).reverse();
  };
  return {
    active,
    list: async (tenantId) =>
      (await active(tenantId)).map(({ deleted_at: _none, authorized_by: _by, ...schedule }) => schedule),
  };
};
