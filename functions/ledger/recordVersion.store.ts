import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Revision, Versioned, Write } from '../shared/aws/document.store.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import type { Attribution } from './attribution.ts';
import { fromVersionItem, toVersionItem, type Version, type VersionItem } from './ledger.store.ts';
import { versionKeyOf } from './ledgerKey.ts';

/** Where a record's versions lie side by side. */
export interface RecordKey {
  readonly partition: string;
  readonly ulid: string;
}

/** A record as a correction finds it. */
export interface VersionedRecord {
  readonly newest: Version;
  /** When it was found, epoch milliseconds: the next version begins then, since it is written right behind. */
  readonly readAt: number;
  /** When all its versions expire (epoch seconds): a correction does not prolong a record's life. */
  readonly expires: number;
  /** The version that an earlier attempt of the same call made, however many came after it. */
  readonly ownVersion: Attribution | null;
}

export interface RecordVersionStore {
  /**
   * A record, strongly consistent, with who wrote its newest version; or, where the call has made a version already,
   * which attempt that was. Null when there is no such record.
   */
  readonly find: (
    tenantId: string,
    place: RecordKey,
    claim: string,
  ) => Promise<Versioned<VersionedRecord> | null>;
  /**
   * The writes that end the newest version and begin the next, at the next one's `as_of`. They fail together when
   * another correction came first: versions follow on each other without gaps.
   */
  readonly appendVersion: (
    place: RecordKey,
    ended: VersionedRecord,
    next: Attribution,
    by: Revision,
  ) => readonly Write[];
}

const revisionOf = (item: VersionItem): Revision => ({
  claim: item['claim']?.S ?? '',
  attempt: Number(item['attempt']?.N ?? 0),
});

export const recordVersionStore = (table: string, clock: () => number): RecordVersionStore => {
  /** Every version, the newest first; of a record that has expired none, though the table may still hold them. */
  const versionsOf = async ({ partition, ulid }: RecordKey): Promise<VersionItem[]> => {
    const found: VersionItem[] = [];
    let resume: VersionItem | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await dynamodb.send(
        new QueryCommand({
          TableName: table,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :record)',
          FilterExpression: '#ttl > :now',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: {
            ':pk': { S: partition },
            ':record': { S: `${ulid}#` },
            ':now': { N: String(Math.floor(clock() / 1_000)) },
          },
          ScanIndexForward: false,
          ExclusiveStartKey: resume,
        }),
      );
      found.push(...Items);
      resume = LastEvaluatedKey;
    } while (resume !== undefined);
    return found;
  };

  return {
    find: async (tenantId, place, claim) => {
      const versions = await versionsOf(place);
      const [newest] = versions;
      if (newest === undefined) return null;
      const own = versions.find((item) => revisionOf(item).claim === claim);
      return {
        document: {
          newest: fromVersionItem(newest, tenantId),
          readAt: clock(),
          expires: Number(newest['ttl']?.N),
          ownVersion: own === undefined ? null : fromVersionItem(own, tenantId).attribution,
        },
        revision: revisionOf(own ?? newest),
      };
    },
    appendVersion: ({ partition, ulid }, { newest, expires }, next, by) => {
      const item = toVersionItem(partition, ulid, next, expires);
      return [
        {
          Put: {
            TableName: table,
            Item: { ...item, claim: { S: by.claim }, attempt: { N: String(by.attempt) } },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        {
          Update: {
            TableName: table,
            Key: { pk: { S: partition }, sk: { S: versionKeyOf(ulid, newest.validity.version) } },
            UpdateExpression: 'SET #to = :to',
            // An update of a version that has expired meanwhile would make an item that is none.
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#to)',
            ExpressionAttributeNames: { '#to': 'to' },
            ExpressionAttributeValues: { ':to': { N: String(Date.parse(next.record.as_of)) } },
          },
        },
      ];
    },
  };
};
