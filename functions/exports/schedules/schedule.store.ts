import * as z from 'zod';
import { ExportSchedule } from '../../../schemas/exports.ts';
import {
  type Revision,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../shared/aws/document.store.ts';

/** A schedule, and when it was deleted: it is remembered for as long as the call that made it may be repeated. */
export const StoredSchedule = ExportSchedule.extend({ deleted_at: z.iso.datetime().nullable() });
export type StoredSchedule = z.infer<typeof StoredSchedule>;

/** All schedules of a tenant: few enough for one document, so that they are counted and changed as one. */
const Schedules = z.array(StoredSchedule);

const schedulesKey = (tenantId: string) => ({ pk: `schedules#${tenantId}`, sk: 'all' });

/** The revision of what was never written. */
const NO_REVISION: Revision = { claim: '', attempt: 0 };

export interface ScheduleReader {
  /** The newest first; none that was deleted. */
  readonly list: (tenantId: string) => Promise<ExportSchedule[]>;
}

export interface ScheduleStore {
  /** All of them, the oldest first, those that were deleted lately too. */
  readonly find: (tenantId: string) => Promise<Versioned<StoredSchedule[]>>;
  readonly put: (
    tenantId: string,
    schedules: readonly StoredSchedule[],
    seen: Revision,
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
