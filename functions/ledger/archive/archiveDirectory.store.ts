import { DAY_MS } from '../../../schemas/durations.ts';
import {
  commit,
  deleteDocument,
  listDocuments,
  type Revision,
  readVersioned,
  type Versioned,
  writeDocument,
} from '../../platform/shared/aws/document.store.ts';
import { ArchivedDay, type Day, expiryOfDay, startOfDay } from './archivedDay.ts';

/** The days of a directory that one call returns: more than the retention. */
const DAYS_MAXIMUM = 1_000;

/** Sorts after every day. */
const LAST_DAY = '9999-12-31';

/** The most rows that a read from one day to another needs: up to nine earlier days have the same first characters. */
const daysUpTo = (from: Day, to: Day): number => {
  const days = (startOfDay(to) - startOfDay(from)) / DAY_MS;
  return Number.isFinite(days) ? Math.min(DAYS_MAXIMUM, days + 10) : DAYS_MAXIMUM;
};

/** Partition key of the closed days of a tenant. */
export const archivePartitionOf = (tenantId: string): string => `${tenantId}#archive`;

/** The closed days of a tenant. They are in the ledger table, so that a restore to a point in time restores both. */
export interface ArchiveDirectory {
  /** The closed days of a tenant from one day to another, both included, ascending, strongly consistent. */
  readonly list: (tenantId: string, from: Day, to?: Day) => Promise<ArchivedDay[]>;
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
  list: (tenantId, from, to = LAST_DAY) =>
    listDocuments(
      table,
      archivePartitionOf(tenantId),
      { after: from.slice(0, -1), descending: false, limit: daysUpTo(from, to) },
      ArchivedDay,
    ).then((days) => days.filter(({ day }) => day >= from && day <= to)),
});

export const archiveDirectoryWriter = (table: string): ArchiveDirectoryWriter => ({
  ...archiveDirectory(table),
  read: (tenantId, day) => readVersioned(table, { pk: archivePartitionOf(tenantId), sk: day }, ArchivedDay),
  put: (tenantId, day, expected, by) =>
    commit([
      writeDocument(table, { pk: archivePartitionOf(tenantId), sk: day.day }, day, {
        expectedRevision: expected,
        by,
        ttl: expiryOfDay(day.day),
      }),
    ]),
  remove: async (tenantId, day) => {
    await commit([deleteDocument(table, { pk: archivePartitionOf(tenantId), sk: day })]);
  },
});
