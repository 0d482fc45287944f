import {
  commit,
  deleteDocument,
  listDocuments,
  type Revision,
  readVersioned,
  type Versioned,
  writeDocument,
} from '../shared/aws/document.store.ts';
import { ArchivedDay, type Day, expiryOfDay } from './archivedDay.ts';

/** The days of a directory that one call returns: more than the retention. */
const DAYS_MAXIMUM = 1_000;

const partitionOf = (tenantId: string): string => `${tenantId}#archive`;

/** The closed days of a tenant. They are in the ledger table, so that a restore to a point in time restores both. */
export interface ArchiveDirectory {
  /** The closed days of a tenant from a day on, ascending, strongly consistent. */
  readonly list: (tenantId: string, from: Day) => Promise<ArchivedDay[]>;
}

export interface ArchiveDirectoryWriter extends ArchiveDirectory {
  readonly read: (tenantId: string, day: Day) => Promise<Versioned<ArchivedDay> | null>;
  /** Names the files of a day. Returns false when the day is no longer in the expected revision. */
  readonly put: (
    tenantId: string,
    day: ArchivedDay,
    expected: Revision | null,
    by: Revision,
  ) => Promise<boolean>;
  readonly remove: (tenantId: string, day: Day) => Promise<void>;
}

export const archiveDirectory = (table: string): ArchiveDirectory => ({
  // Days sort after the text without their last character, so the first day is included.
  list: (tenantId, from) =>
    listDocuments(
      table,
      partitionOf(tenantId),
      { after: from.slice(0, -1), descending: false, limit: DAYS_MAXIMUM },
      ArchivedDay,
    ).then((days) => days.filter(({ day }) => day >= from)),
});

export const archiveDirectoryWriter = (table: string): ArchiveDirectoryWriter => ({
  ...archiveDirectory(table),
  read: (tenantId, day) => readVersioned(table, { pk: partitionOf(tenantId), sk: day }, ArchivedDay),
  put: (tenantId, day, expected, by) =>
    commit([
      writeDocument(table, { pk: partitionOf(tenantId), sk: day.day }, day, {
        expectedRevision: expected,
        by,
        ttl: expiryOfDay(day.day),
      }),
    ]),
  remove: async (tenantId, day) => {
    await commit([deleteDocument(table, { pk: partitionOf(tenantId), sk: day })]);
  },
});
