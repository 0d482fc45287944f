import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import { tables } from '../../schemas/platform/tables.ts';
import { commit, putWithoutTransaction, type Write } from '../shared/aws/document.store.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import type { Month } from '../shared/month.ts';
import type { Attribution } from './attribution.ts';
import { fromLedgerItem, RETENTION_MILLISECONDS, toLedgerItem } from './ledgerItem.ts';
import { monthsPartitionOf, versionKeyOf } from './ledgerKey.ts';
import { toFilterValues } from './query/filterAttribute.ts';
import type { Condition } from './query/filterCondition.ts';
import { type SortOrder, sortFields, sortKeyOf } from './query/sortKey.ts';
import type { Validity } from './query/visibility.ts';

/** A version as the table keeps it. */
export type VersionItem = Record<string, AttributeValue>;

const number = (value: number | string): AttributeValue => ({ N: String(value) });

const value = (text: string, isNumber: boolean): AttributeValue => (isNumber ? number(text) : { S: text });

/** Where a walk in an order finds its place: the index, and the attribute that sorts it. */
const sortIndexes = {
  occurred_at: { index: undefined, key: 'sk' },
  cost_usd: { index: 'byCost', key: tables.ledger.localIndexes.byCost },
  confidence: { index: 'byConfidence', key: tables.ledger.localIndexes.byConfidence },
} as const satisfies Record<SortOrder, { index: string | undefined; key: string }>;

/** A version as it was read, with its place in the order of a walk. */
export interface Version {
  readonly key: string;
  readonly validity: Validity;
  /** Read from the item when it is first asked for: a walk passes many versions that it does not show. */
  readonly attribution: Attribution;
}

export const fromVersionItem = (
  item: VersionItem,
  tenantId: string,
  order: SortOrder = 'occurred_at',
): Version => {
  let attribution: Attribution | undefined;
  return {
    key: item[sortIndexes[order].key]?.S ?? '',
    validity: {
      version: Number((item['sk']?.S ?? '').slice(-6)),
      from: Number(item['from']?.N),
      to: item['to']?.N === undefined ? null : Number(item['to'].N),
    },
    get attribution() {
      attribution ??= fromLedgerItem(
        {
          cost: item['cost']?.N ?? null,
          energy: item['energy']?.N ?? null,
          carbon: item['carbon']?.N ?? null,
          trace: item['tr']?.S ?? null,
          dictionary: Number(item['dictionary']?.N),
          detail: item['detail']?.B ?? new Uint8Array(),
        },
        tenantId,
      );
      return attribution;
    },
  };
};

/** The item of a version that begins with its record's `as_of` and is kept until `expires` (epoch seconds). */
export const toVersionItem = (
  partition: string,
  ulid: string,
  attribution: Attribution,
  expires: number,
): VersionItem => {
  const { energy, carbon, dictionary, detail } = toLedgerItem(attribution);
  const { record } = attribution;
  const { as_of, version, residency } = record;
  return {
    pk: { S: partition },
    sk: { S: versionKeyOf(ulid, version) },
    from: number(Date.parse(as_of)),
    // Tells a filter that a record has several versions.
    ...(version > 1 && { version: number(version) }),
    ...Object.fromEntries(
      toFilterValues(record).map((member) => [member.attribute, value(member.text, member.number)]),
    ),
    ...(residency !== null && { lane: { S: residency } }),
    ...Object.fromEntries(
      sortFields.map((field) => [sortIndexes[field].key, { S: sortKeyOf(record, ulid, field) }]),
    ),
    ...(energy !== null && { energy: number(energy) }),
    ...(carbon !== null && { carbon: number(carbon) }),
    dictionary: number(dictionary),
    detail: { B: detail },
    ttl: number(expires),
  };
};

/** A stretch of a partition, by place, both ends included; expired rows the table still holds are left out. */
export interface KeyRange {
  readonly partition: string;
  readonly from: string;
  readonly to: string;
  readonly descending: boolean;
  /** Versions the table looks at, at most. */
  readonly limit: number;
  /** Default: the time of the call. */
  readonly order?: SortOrder | undefined;
  /** Versions the table keeps to itself are looked at all the same. */
  readonly condition?: Condition | undefined;
}

export interface LedgerReader {
  /** The tenant's months that hold records, ascending. */
  readonly months: (tenantId: string) => Promise<Month[]>;
  /**
   * Versions in order of their places, strongly consistent. `last` is the place up to which the stretch was read when it
   * goes on behind; null at its end. A read may find nothing and still go on: what expired or was kept back counts
   * towards its limit, and among the `examined`.
   */
  readonly read: (
    tenantId: string,
    stretch: KeyRange,
  ) => Promise<{ readonly versions: Version[]; readonly last: string | null; readonly examined?: number }>;
  /** The newest version of a record; null when there is none. */
  readonly newest: (tenantId: string, partition: string, ulid: string) => Promise<Attribution | null>;
}

export const ledgerReader = (table: string, clock: () => number): LedgerReader => {
  const query = ({ partition, from, to, descending, limit, order = 'occurred_at', condition }: KeyRange) => {
    const notExpired = 'attribute_not_exists(#ttl) OR #ttl > :now';
    const conditionValues = Object.entries(condition?.values ?? {});
    const { index, key } = sortIndexes[order];
    return dynamodb.send(
      new QueryCommand({
        TableName: table,
        ...(index !== undefined && { IndexName: index }),
        ConsistentRead: true,
        KeyConditionExpression: `pk = :pk AND ${key} BETWEEN :from AND :to`,
        FilterExpression:
          condition === undefined ? notExpired : `(${notExpired}) AND ${condition.expression}`,
        ExpressionAttributeNames: { '#ttl': 'ttl', ...condition?.names },
        ExpressionAttributeValues: {
          ':pk': { S: partition },
          ':from': { S: from },
          ':to': { S: to },
          ':now': number(Math.floor(clock() / 1_000)),
          ...Object.fromEntries(
            conditionValues.map(([name, { text, number: is }]) => [name, value(text, is)]),
          ),
        },
        ScanIndexForward: !descending,
        Limit: limit,
      }),
    );
  };

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
    read: async (tenantId, range) => {
      const { order = 'occurred_at' } = range;
      const { Items = [], LastEvaluatedKey, ScannedCount = 0 } = await query(range);
      return {
        versions: Items.map((item) => fromVersionItem(item, tenantId, order)),
        last: LastEvaluatedKey?.[sortIndexes[order].key]?.S ?? null,
        examined: ScannedCount,
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
      return item === undefined ? null : fromVersionItem(item, tenantId).attribution;
    },
  };
};

export interface LedgerWriter {
  /** Makes a month known, before its first record. */
  readonly openMonth: (tenantId: string, month: Month) => Promise<void>;
  /**
   * Writes a version that must not exist yet, together with what goes `along`; false when it did, which changes
   * nothing.
   */
  readonly add: (
    partition: string,
    ulid: string,
    attribution: Attribution,
    along?: readonly Write[],
  ) => Promise<boolean>;
}

export const ledgerWriter = (table: string): LedgerWriter => {
  const putNew = (item: VersionItem, otherWrites: readonly Write[] = []): Promise<boolean> => {
    const put = { TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(pk)' };
    return otherWrites.length === 0 ? putWithoutTransaction(put) : commit([{ Put: put }, ...otherWrites]);
  };

  return {
    openMonth: async (tenantId, month) => {
      await putNew({ pk: { S: monthsPartitionOf(tenantId) }, sk: { S: month } });
    },
    add: (partition, ulid, attribution, otherWrites) => {
      const from = Date.parse(attribution.record.as_of);
      const expires = Math.ceil((from + RETENTION_MILLISECONDS) / 1_000);
      return putNew(toVersionItem(partition, ulid, attribution, expires), otherWrites);
    },
  };
};
