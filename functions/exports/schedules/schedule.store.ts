import * as z from 'zod';
import { ExportSchedule } from '../../../schemas/exports.ts';
import {
  NO_REVISION,
  type Revision,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../shared/aws/document.store.ts';

/** A schedule with a tombstone. Deleted schedules are kept for as long as the call that created them may be retried. */
export const StoredSchedule = ExportSchedule.extend({ deleted_at: z.iso.datetime().nullable() });
export type StoredSchedule = z.infer<typeof StoredSchedule>;

/** All schedules of a tenant in one document, so that the limit and each change are checked atomically. */
const Schedules = z.array(StoredSchedule);

const schedulesKey = (tenantId: string) => ({ pk: `schedules#${tenantId}`, sk: 'all' });

export interface ScheduleReader {
  /** Schedules that are not deleted, newest first. */
  readonly list: (tenantId: string) => Promise<ExportSchedule[]>;
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
  return {
    list: async (tenantId) => {
      const { document } = await find(tenantId);
      return document
        .filter(({ deleted_at }) => deleted_at === null)
        .map(({ deleted_at: _none, ...schedule }) => schedule)
        .reverse();
    },
  };
};
