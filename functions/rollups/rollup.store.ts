import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type AttributeValue, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type Rollup, type RollupGrain, RollupGroup } from '../../schemas/rollup.ts';
import { RETENTION_MILLISECONDS } from '../ledger/ledgerItem.ts';
import { commit, deleteDocument, putWithoutTransaction, type Write } from '../shared/aws/document.store.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { toIso } from '../shared/toIso.ts';
import { LENGTH, type RollupRange, startOf } from './grain.ts';

/** Most compressed bytes of groups in one item, well below the DynamoDB item limit of 400 KB. */
const PART_BYTES = 200_000;
/** Most groups in one part. A group takes about 100 bytes compressed. */
const PART_GROUPS = 1_500;

/** Partition key: one partition for the minutes of an hour, the hours of a day, or the days of a month. */
const partitionOf = (tenantId: string, grain: RollupGrain, start: number): string => {
  const instant = toIso(start);
  const range = { minute: instant.slice(0, 13), hour: instant.slice(0, 10), day: instant.slice(0, 7) }[grain];
  return `${tenantId}#${grain}#${range}`;
};

const NEXT_PARTITION: Readonly<Record<RollupGrain, (start: number) => number>> = {
  minute: (start) => startOf('hour', start) + LENGTH.hour,
  hour: (start) => startOf('day', start) + LENGTH.day,
  day: (start) => Date.UTC(new Date(start).getUTCFullYear(), new Date(start).getUTCMonth() + 1),
};

type Item = Record<string, AttributeValue>;

const INSTANT_LENGTH = '2026-01-01T00:00:00.000Z'.length;

const sortKeyOf = (start: number, part: number): string => `${toIso(start)}#${String(part).padStart(3, '0')}`;

const Groups = z.array(RollupGroup);

const pack = (groups: readonly RollupGroup[]): Buffer => deflateRawSync(JSON.stringify(groups));

/** Compresses groups into parts that each fit into one item. */
const partsOf = (groups: readonly RollupGroup[]): Buffer[] => {
  const packed = pack(groups);
  if (groups.length <= 1 || (groups.length <= PART_GROUPS && packed.length <= PART_BYTES)) return [packed];
  const half = Math.ceil(groups.length / 2);
  return [...partsOf(groups.slice(0, half)), ...partsOf(groups.slice(half))];
};

const unpack = (item: Item): RollupGroup[] =>
  Groups.parse(JSON.parse(inflateRawSync(item['groups']?.B ?? new Uint8Array()).toString('utf8')));

export interface RollupReader {
  /** The rollups of a range in chronological order, strongly consistent. Periods without calls are left out. */
  readonly read: (tenantId: string, range: RollupRange) => Promise<Rollup[]>;
}

/** A partition is read again when one query returned parts of two revisions of a rollup. */
const MAX_READ_ATTEMPTS = 5;

const readPartition = async (
  table: string,
  pk: string,
  { from, to }: { readonly from: number; readonly to: number },
  projection?: string,
): Promise<Item[]> => {
  const items: Item[] = [];
  let resume: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        ...(projection !== undefined && { ProjectionExpression: projection }),
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': { S: pk },
          ':from': { S: sortKeyOf(from, 0) },
          ':to': { S: `${toIso(to - 1)}~` },
        },
        ExclusiveStartKey: resume,
      }),
    );
    for (const item of Items) items.push(item);
    resume = LastEvaluatedKey;
  } while (resume !== undefined);
  return items;
};

const startIn = (item: Item): number => Date.parse((item['sk']?.S ?? '').slice(0, INSTANT_LENGTH));
const numberIn = (item: Item | undefined, name: string): number => Number(item?.[name]?.N ?? 0);

/** Whether all parts of a rollup have the same revision. A query can return part of a transaction. */
const isWhole = (parts: readonly Item[]): boolean =>
  parts.length === numberIn(parts[0], 'parts') &&
  parts.every((part) => numberIn(part, 'revision') === numberIn(parts[0], 'revision'));

export const rollupReader = (table: string): RollupReader => ({
  read: async (tenantId, { grain, from, to }) => {
    const rollups: Rollup[] = [];
    for (let start = from; start < to; start = NEXT_PARTITION[grain](start)) {
      const pk = partitionOf(tenantId, grain, start);
      for (let attempt = 1; ; attempt += 1) {
        const periods = [...Map.groupBy(await readPartition(table, pk, { from: start, to }), startIn)];
        if (!periods.every(([, parts]) => isWhole(parts))) {
          if (attempt === MAX_READ_ATTEMPTS)
            throw new Error(
              `Gave up after ${MAX_READ_ATTEMPTS} reads of partition ${pk}, which changed during each read.`,
            );
          continue;
        }
        for (const [at, parts] of periods) {
          const groups = parts.flatMap(unpack);
          rollups.push({ start: at, grain, asOf: numberIn(parts[0], 'as_of'), groups });
        }
        break;
      }
    }
    return rollups;
  },
});

/** The revision of a rollup that does not exist. */
export const NO_ROLLUP: RollupRevision = { revision: 0, parts: 0 };

/** Revision and number of parts of a rollup, read before its sources. Both are 0 when it does not exist. */
export interface RollupRevision {
  readonly revision: number;
  readonly parts: number;
}

export interface RollupWriter extends RollupReader {
  readonly readRevision: (tenantId: string, grain: RollupGrain, start: number) => Promise<RollupRevision>;
  /** The revisions of the rollups of a range within one partition, by their start. */
  readonly readRevisions: (tenantId: string, range: RollupRange) => Promise<Map<number, RollupRevision>>;
  /** Writes a rollup. Returns false when its revision is no longer the expected one. */
  readonly put: (tenantId: string, rollup: Rollup, expectedRevision: RollupRevision) => Promise<boolean>;
}

export const rollupWriter = (table: string): RollupWriter => ({
  ...rollupReader(table),
  readRevision: async (tenantId, grain, start) => {
    const { Item } = await dynamodb.send(
      new GetItemCommand({
        TableName: table,
        Key: { pk: { S: partitionOf(tenantId, grain, start) }, sk: { S: sortKeyOf(start, 0) } },
        ProjectionExpression: 'revision, parts',
        ConsistentRead: true,
      }),
    );
    return { revision: numberIn(Item, 'revision'), parts: numberIn(Item, 'parts') };
  },
  readRevisions: async (tenantId, { grain, from, to }) => {
    const pk = partitionOf(tenantId, grain, from);
    const items = await readPartition(table, pk, { from, to }, 'sk, revision, parts');
    const firstParts = items.filter((item) => item['sk']?.S === sortKeyOf(startIn(item), 0));
    return new Map(
      firstParts.map((item) => [
        startIn(item),
        { revision: numberIn(item, 'revision'), parts: numberIn(item, 'parts') },
      ]),
    );
  },
  put: (tenantId, { grain, start, asOf, groups }, expectedRevision) => {
    const pk = partitionOf(tenantId, grain, start);
    const ttl = Math.ceil((start + RETENTION_MILLISECONDS) / 1_000);
    const parts = partsOf(groups);
    const puts = parts.map((part, index) => ({
      TableName: table,
      Item: {
        pk: { S: pk },
        sk: { S: sortKeyOf(start, index) },
        revision: { N: String(expectedRevision.revision + 1) },
        parts: { N: String(parts.length) },
        as_of: { N: String(asOf) },
        groups: { B: part },
        ttl: { N: String(ttl) },
      },
      // Only the first part is checked: all parts are written in one transaction.
      ...(index === 0 && {
        ConditionExpression:
          expectedRevision.revision === 0 ? 'attribute_not_exists(pk)' : 'revision = :expected',
        ...(expectedRevision.revision > 0 && {
          ExpressionAttributeValues: { ':expected': { N: String(expectedRevision.revision) } },
        }),
      }),
    }));
    const surplusParts = Array.from(
      { length: Math.max(0, expectedRevision.parts - parts.length) },
      (_, index) => deleteDocument(table, { pk, sk: sortKeyOf(start, parts.length + index) }),
    );
    const [only, ...others] = puts;
    return only !== undefined && others.length + surplusParts.length === 0
      ? putWithoutTransaction(only)
      : commit([...puts.map((put): Write => ({ Put: put })), ...surplusParts]);
  },
});
