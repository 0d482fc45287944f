import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import { batchedInsert } from '../../platform/shared/aws/batches/batchInsert.store.ts';
import { putWithoutTransaction } from '../../platform/shared/aws/document.store.ts';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import type { Month } from '../../platform/shared/time/month.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Attribution } from './attribution.ts';
import { fromLedgerItem, RETENTION_MILLISECONDS, ROW_MILLISECONDS, toLedgerItem } from './ledgerItem.ts';
import { directoryKeyOf, directoryPartitionOf, versionKeyOf } from './ledgerKey.ts';
import { monthReader, type ReadMonths } from './month.store.ts';
import { toFilterValues } from './query/filterAttribute.ts';
import type { Condition } from './query/filterCondition.ts';
import type { Validity } from './query/visibility.ts';
import { sortEntryOf } from './sortIndex/sortEntry.ts';
import { sortIndexLog } from './sortIndex/sortIndexLog.store.ts';
import { unarchivedDayWriter } from './unarchivedDay.store.ts';

/** A version as a table item. */
export type VersionItem = Record<string, AttributeValue>;

const number = (value: number | string): AttributeValue => ({ N: String(value) });

const toAttributeValue = (text: string, isNumber: boolean): AttributeValue =>
  isNumber ? number(text) : { S: text };

/** A stored version with its sort key in the order of the query. */
export interface Version {
  readonly key: string;
  readonly validity: Validity;
  /** Decoded on first access: a list skips many versions without returning them. */
  readonly attribution: Attribution;
}

/** `readAt`: when it was read, for what is selected as of an instant. */
export const fromVersionItem = (item: VersionItem, tenantId: string, readAt?: number): Version => {
  let attribution: Attribution | undefined;
  return {
    key: item['sk']?.S ?? '',
    validity: {
      version: Number((item['sk']?.S ?? '').slice(-6)),
      from: Number(item['from']?.N),
      to: item['to']?.N === undefined ? null : Number(item['to'].N),
      ...(readAt !== undefined && { readAt }),
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

/**
 * The item of a version. The version is valid from its record's `as_of`. `expires` is the end of the record's retention in
 * epoch seconds. The row may leave the table earlier, see ROW_MILLISECONDS. `isRaised`: the item has the mark by which the
 * change stream of the table selects the versions that raise an event.
 */
export const toVersionItem = (
  partition: string,
  ulid: string,
  attribution: Attribution,
  expires: number,
  isRaised = false,
): VersionItem => {
  const { energy, carbon, dictionary, detail } = toLedgerItem(attribution);
  const { record } = attribution;
  const { as_of, version, residency } = record;
  const from = Date.parse(as_of);
  return {
    pk: { S: partition },
    sk: { S: versionKeyOf(ulid, version) },
    from: number(from),
    // A filter condition uses it to recognise records with several versions.
    ...(version > 1 && { version: number(version) }),
    ...Object.fromEntries(
      toFilterValues(record).map((member) => [
        member.attribute,
        toAttributeValue(member.text, member.number),
      ]),
    ),
    ...(residency !== null && { lane: { S: residency } }),
    ...(energy !== null && { energy: number(energy) }),
    ...(carbon !== null && { carbon: number(carbon) }),
    dictionary: number(dictionary),
    detail: { B: detail },
    ...(isRaised && { raised: number(1) }),
    expires: number(expires),
    ttl: number(Math.min(expires, Math.ceil((from + ROW_MILLISECONDS) / 1_000))),
  };
};

/** A range of sort keys in a partition, both ends included. Expired rows that the table still holds are left out. */
export interface KeyRange {
  readonly partition: string;
  readonly from: string;
  readonly to: string;
  readonly descending: boolean;
  /** The most versions that the table examines. */
  readonly limit: number;
  /** The table filters versions by it. Versions it leaves out count as examined. */
  readonly condition?: Condition | undefined;
}

export interface LedgerReader {
  readonly months: ReadMonths;
  /**
   * Versions in order of their sort keys, strongly consistent. `last` is the sort key of the last version examined when
   * the range continues after it; null at the end of the range. A read may return no versions before that end: expired
   * and filtered versions count towards the limit and towards `examined`.
   */
  readonly read: (
    tenantId: string,
    range: KeyRange,
  ) => Promise<{ readonly versions: Version[]; readonly last: string | null; readonly examined?: number }>;
  /** The newest version of a record; null when there is none. */
  readonly newest: (tenantId: string, partition: string, ulid: string) => Promise<Attribution | null>;
}

export const ledgerReader = (table: string, clock: () => number): LedgerReader => {
  const query = ({ partition, from, to, descending, limit, condition }: KeyRange) => {
    const notExpired = 'attribute_not_exists(#expires) OR #expires > :now';
    const conditionValues = Object.entries(condition?.values ?? {});
    return dynamodb.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        FilterExpression:
          condition === undefined ? notExpired : `(${notExpired}) AND ${condition.expression}`,
        ExpressionAttributeNames: { '#expires': 'expires', ...condition?.names },
        ExpressionAttributeValues: {
          ':pk': { S: partition },
          ':from': { S: from },
          ':to': { S: to },
          ':now': number(Math.floor(clock() / 1_000)),
          ...Object.fromEntries(
            conditionValues.map(([name, { text, number: isNumber }]) => [
              name,
              toAttributeValue(text, isNumber),
            ]),
          ),
        },
        ScanIndexForward: !descending,
        Limit: limit,
      }),
    );
  };

  return {
    months: monthReader(table),
    read: async (tenantId, range) => {
      const { Items = [], LastEvaluatedKey, ScannedCount = 0 } = await query(range);
      return {
        versions: Items.map((item) => fromVersionItem(item, tenantId, clock())),
        last: LastEvaluatedKey?.['sk']?.S ?? null,
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
  /**
   * Adds a month with a number of shard bits to the tenant's directory. Must run before the first record of the month with
   * this number of shard bits is written.
   */
  readonly openMonth: (tenantId: string, month: Month, shardBits: number) => Promise<void>;
  /**
   * Logs the sort entry of a new version for sorted lists, and lists its day as not archived. Then writes the version.
   * `isRaised`: the version raises an event. Returns false, and does not write the version, when it exists already.
   */
  readonly add: (
    partition: string,
    ulid: string,
    attribution: Attribution,
    isRaised?: boolean,
  ) => Promise<boolean>;
}

/** An event that waited in a queue for longer is said to be recorded later than it was accepted. */
const RECORDED_LATE_MS = 2_000;

/**
 * A first version begins when its call was accepted, which does not depend on the attempt that writes it. What closed periods
 * contain does: `recorded_at` tells later readers that a version was not there yet.
 */
const withRecordingTime = (attribution: Attribution, from: number, now: number): Attribution =>
  now - from <= RECORDED_LATE_MS
    ? attribution
    : { ...attribution, storedEvent: { ...attribution.storedEvent, recorded_at: toIso(now) } };

export const ledgerWriter = (table: string, clock: Clock): LedgerWriter => {
  const sortIndex = sortIndexLog(table);
  const listUnarchived = unarchivedDayWriter(table, clock);
  const insert = batchedInsert(table, ({ pk, sk }) => `${pk?.S} ${sk?.S}`);
  const putNew = (item: VersionItem): Promise<boolean> =>
    putWithoutTransaction({
      TableName: table,
      Item: item,
      ConditionExpression: 'attribute_not_exists(pk)',
    });

  return {
    openMonth: async (tenantId, month, shardBits) => {
      await putNew({
        pk: { S: directoryPartitionOf(tenantId) },
        sk: { S: directoryKeyOf(month, shardBits) },
      });
    },
    add: async (partition, ulid, attribution, isRaised) => {
      const { record } = attribution;
      const from = Date.parse(record.as_of);
      await Promise.all([
        sortIndex.append(record.tenant_id, sortEntryOf(record, ulid)),
        listUnarchived(record.tenant_id, ulid, from),
      ]);
      const expires = Math.ceil((from + RETENTION_MILLISECONDS) / 1_000);
      const recorded = withRecordingTime(attribution, from, clock());
      const item = toVersionItem(partition, ulid, recorded, expires, isRaised);
      return (await insert(item)) || putNew(item);
    },
  };
};
