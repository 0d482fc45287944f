import type { Revision, Write } from '../../platform/shared/aws/document.store.ts';
import { queryPages } from '../../platform/shared/aws/queryPages.store.ts';
import type { Attribution } from './attribution.ts';
import { disputeEntryOf } from './disputeIndex.store.ts';
import { fromVersionItem, toVersionItem, type Version, type VersionItem } from './ledger.store.ts';
import { versionKeyOf } from './ledgerKey.ts';
import { sortEntryOf } from './sortIndex/sortEntry.ts';
import { sortIndexLog } from './sortIndex/sortIndexLog.store.ts';
import { unarchivedDayWriter } from './unarchivedDay.store.ts';

/** Identifies a record: all its versions are adjacent in this partition. */
export interface RecordKey {
  readonly partition: string;
  readonly ulid: string;
}

/** The current state of a record, read before a new version is written. */
export interface VersionedRecord {
  readonly newest: Version;
  /** Time of the read, epoch milliseconds. The next version is valid from then, since it is written right after. */
  readonly readAt: number;
  /** Expiry of all versions (epoch seconds). A correction does not extend the retention of a record. */
  readonly expires: number;
  /** Whether the newest version is only in the archive, so that the table has no row of it to end. Absent: false. */
  readonly isArchived?: boolean;
}

export interface RecordVersionStore {
  /** A record, strongly consistent. Null when it does not exist. */
  readonly find: (tenantId: string, key: RecordKey) => Promise<VersionedRecord | null>;
  /**
   * Logs the sort entry of the next version for sorted lists, and lists its day as not archived. Must resolve before that
   * version is committed. Resolves to the time afterwards (epoch milliseconds): the version must not start earlier, so that
   * it is written soon after its start.
   */
  readonly announce: (key: RecordKey, next: Attribution) => Promise<number>;
  /**
   * The writes that end the newest version and start the next one, at the `as_of` of the next one. They fail together
   * when another writer added a version first. Versions have no gaps between them. A dispute that the next version opens or
   * resolves is listed with it. `isRaised`: the next version raises an event.
   */
  readonly appendVersion: (
    key: RecordKey,
    current: VersionedRecord,
    next: Attribution,
    by: Revision,
    isRaised?: boolean,
  ) => readonly Write[];
}

export const recordVersionStore = (table: string, clock: () => number): RecordVersionStore => {
  const sortIndex = sortIndexLog(table);
  const listUnarchived = unarchivedDayWriter(table, clock);

  /** The newest version. Expired versions are left out, though the table may still hold them. */
  const newestOf = async ({ partition, ulid }: RecordKey): Promise<VersionItem | undefined> => {
    const query = {
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :record)',
      FilterExpression: '#expires > :now',
      ExpressionAttributeNames: { '#expires': 'expires' },
      ExpressionAttributeValues: {
        ':pk': { S: partition },
        ':record': { S: `${ulid}#` },
        ':now': { N: String(Math.floor(clock() / 1_000)) },
      },
      ScanIndexForward: false,
      Limit: 1,
    };
    for await (const items of queryPages(query)) {
      if (items[0] !== undefined) return items[0];
    }
    return undefined;
  };

  return {
    find: async (tenantId, key) => {
      const newest = await newestOf(key);
      if (newest === undefined) return null;
      return {
        newest: fromVersionItem(newest, tenantId),
        readAt: clock(),
        expires: Number(newest['expires']?.N),
      };
    },
    announce: async ({ ulid }, { record }) => {
      await Promise.all([
        sortIndex.append(record.tenant_id, sortEntryOf(record, ulid)),
        listUnarchived(record.tenant_id, ulid, clock()),
      ]);
      return clock();
    },
    appendVersion: ({ partition, ulid }, current, next, by, isRaised = false) => {
      const { newest, expires, isArchived = false } = current;
      const item = toVersionItem(partition, ulid, next, expires, isRaised);
      const start: Write = {
        Put: {
          TableName: table,
          Item: { ...item, claim: { S: by.claim }, attempt: { N: String(by.attempt) } },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      };
      const dispute = disputeEntryOf(table, newest.attribution.record, next.record, expires);
      const added = dispute === null ? [start] : [start, dispute];
      if (isArchived) return added;
      return [
        ...added,
        {
          Update: {
            TableName: table,
            Key: { pk: { S: partition }, sk: { S: versionKeyOf(ulid, newest.validity.version) } },
            UpdateExpression: 'SET #to = :to',
            // Without the check, an update of a version that is not stored any more would create an incomplete item.
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#to)',
            ExpressionAttributeNames: { '#to': 'to' },
            ExpressionAttributeValues: { ':to': { N: String(Date.parse(next.record.as_of)) } },
          },
        },
      ];
    },
  };
};
