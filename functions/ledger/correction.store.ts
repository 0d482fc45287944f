import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Revision, Versioned, Write } from '../shared/aws/document.store.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import type { Attribution } from './attribution.ts';
import { itemOf, type Version, type VersionItem, versionOf } from './ledger.store.ts';
import { versionKeyOf } from './ledgerKey.ts';

/** Where a record's versions lie side by side. */
export interface RecordPlace {
  readonly partition: string;
  readonly ulid: string;
}

/** A record as a correction finds it. */
export interface Correctable {
  readonly newest: Version;
  /** When it was found, epoch milliseconds: the next version begins then, since it is written right behind. */
  readonly foundAt: number;
  /** When all its versions expire (epoch seconds): a correction does not prolong a record's life. */
  readonly expires: number;
  /** The version that an earlier attempt of the same call made, however many came after it. */
  readonly own: Attribution | null;
}

export interface CorrectionLedger {
  /**
   * A record, strongly consistent, with who wrote its newest version; or, where the call has made a version already,
   * which attempt that was. Null when there is no such record.
   */
  readonly find: (
    tenantId: string,
    place: RecordPlace,
    claim: string,
  ) => Promise<Versioned<Correctable> | null>;
  /**
   * The writes that end the newest version and begin the next, at the next one's `as_of`. They fail together when
   * another correction came first: versions follow on each other without gaps.
   */
  readonly succeed: (
    place: RecordPlace,
    ended: Correctable,
    next: Attribution,
    by: Revision,
  ) => readonly Write[];
}

const revisionOf = (item: VersionItem): Revision => ({
  claim: item['claim']?.S ?? '',
  attempt: Number(item['attempt']?.N ?? 0),
});

export const correctionLedger = (table: string, clock: () => number): CorrectionLedger => {
  /** Every version, the newest first; of a record that has expired none, though the table may still hold them. */
  const versionsOf = async ({ partition, ulid }: RecordPlace): Promise<VersionItem[]> => {
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
          newest: versionOf(newest, tenantId),
          foundAt: clock(),
          expires: Number(newest['ttl']?.N),
          own: own === undefined ? null : versionOf(own, tenantId).attribution,
        },
        revision: revisionOf(own ?? newest),
      };
    },
    succeed: ({ partition, ulid }, { newest, expires }, next, by) => {
      const item = itemOf(partition, ulid, next, expires);
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
