import {
  type AttributeValue,
  ConditionalCheckFailedException,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../shared/dynamodb.client.ts';
import type { Month } from '../shared/month.ts';
import type { Attribution } from './attribute.ts';
import { fromItem, RETENTION_MILLISECONDS, toItem } from './item.ts';
import { monthsPartitionOf, versionKeyOf } from './ledgerKey.ts';
import type { Validity } from './visibility.ts';

/** A version as the table keeps it. */
export type VersionItem = Record<string, AttributeValue>;

const number = (value: number | string): AttributeValue => ({ N: String(value) });

/** A version as it was read: its sort key is its place in a walk. */
export interface Version {
  readonly key: string;
  readonly validity: Validity;
  readonly attribution: Attribution;
}

export const versionOf = (item: VersionItem, tenantId: string): Version => ({
  key: item['sk']?.S ?? '',
  validity: {
    version: Number((item['sk']?.S ?? '').slice(-6)),
    from: Number(item['from']?.N),
    to: item['to']?.N === undefined ? null : Number(item['to'].N),
  },
  attribution: fromItem(
    {
      cost: item['cost']?.N ?? null,
      energy: item['energy']?.N ?? null,
      carbon: item['carbon']?.N ?? null,
      dictionary: Number(item['dictionary']?.N),
      detail: item['detail']?.B ?? new Uint8Array(),
    },
    tenantId,
  ),
});

/** The item of a version that begins with its record's `as_of` and is kept until `expires` (epoch seconds). */
export const itemOf = (
  partition: string,
  ulid: string,
  attribution: Attribution,
  expires: number,
): VersionItem => {
  const { cost, energy, carbon, dictionary, detail } = toItem(attribution);
  const { as_of, version } = attribution.record;
  return {
    pk: { S: partition },
    sk: { S: versionKeyOf(ulid, version) },
    from: number(Date.parse(as_of)),
    ...(cost !== null && { cost: number(cost) }),
    ...(energy !== null && { energy: number(energy) }),
    ...(carbon !== null && { carbon: number(carbon) }),
    dictionary: number(dictionary),
    detail: { B: detail },
    ttl: number(expires),
  };
};

/** A stretch of a partition, by sort key, both ends included; expired rows the table still holds are left out. */
export interface Stretch {
  readonly partition: string;
  readonly from: string;
  readonly to: string;
  readonly descending: boolean;
  readonly limit: number;
}

export interface LedgerReader {
  /** The tenant's months that hold records, ascending. */
  readonly months: (tenantId: string) => Promise<Month[]>;
  /**
   * Versions in order of their keys, strongly consistent. `last` is the key up to which the stretch was read when it
   * goes on behind; null at its end. A read may find nothing and still go on: expired rows count towards its limit.
   */
  readonly read: (
    tenantId: string,
    stretch: Stretch,
  ) => Promise<{ readonly versions: Version[]; readonly last: string | null }>;
  /** The newest version of a record; null when there is none. */
  readonly newest: (tenantId: string, partition: string, ulid: string) => Promise<Attribution | null>;
}

export const ledgerReader = (table: string, clock: () => number): LedgerReader => {
  const query = (stretch: Stretch) =>
    dynamodb.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        FilterExpression: 'attribute_not_exists(#ttl) OR #ttl > :now',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':pk': { S: stretch.partition },
          ':from': { S: stretch.from },
          ':to': { S: stretch.to },
          ':now': number(Math.floor(clock() / 1_000)),
        },
        ScanIndexForward: !stretch.descending,
        Limit: stretch.limit,
      }),
    );

  return {
    months: async (tenantId) => {
      const { Items = [] } = await query({
        partition: monthsPartitionOf(tenantId),
        from: '0',
        to: '9',
        // The newest first, as those beyond the limit hold nothing any more: records are kept for fewer months.
        descending: true,
        limit: 100,
      });
      return Items.map((item) => item['sk']?.S ?? '').reverse();
    },
    read: async (tenantId, stretch) => {
      const { Items = [], LastEvaluatedKey } = await query(stretch);
      return {
        versions: Items.map((item) => versionOf(item, tenantId)),
        last: LastEvaluatedKey?.['sk']?.S ?? null,
      };
    },
    newest: async (tenantId, partition, ulid) => {
      const { Items = [] } = await query({
        partition,
        from: versionKeyOf(ulid, 1),
        to: `${ulid}#~`,
        descending: true,
        limit: 1,
      });
      const [item] = Items;
      return item === undefined ? null : versionOf(item, tenantId).attribution;
    },
  };
};

export interface LedgerWriter {
  /** Makes a month known, before its first record. */
  readonly openMonth: (tenantId: string, month: Month) => Promise<void>;
  /** Writes a version that must not exist yet; false when it did, which changes nothing. */
  readonly add: (partition: string, ulid: string, attribution: Attribution) => Promise<boolean>;
}

export const ledgerWriter = (table: string): LedgerWriter => {
  const putNew = async (item: VersionItem): Promise<boolean> => {
    try {
      await dynamodb.send(
        new PutItemCommand({
          TableName: table,
          Item: item,
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };

  return {
    openMonth: async (tenantId, month) => {
      await putNew({ pk: { S: monthsPartitionOf(tenantId) }, sk: { S: month } });
    },
    add: (partition, ulid, attribution) => {
      const from = Date.parse(attribution.record.as_of);
      const expires = Math.ceil((from + RETENTION_MILLISECONDS) / 1_000);
      return putNew(itemOf(partition, ulid, attribution, expires));
    },
  };
};
