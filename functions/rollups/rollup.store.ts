import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type AttributeValue, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type Rollup, type RollupGrain, RollupGroup } from '../../schemas/rollup.ts';
import { RETENTION_MILLISECONDS } from '../ledger/ledgerItem.ts';
import { commit, deleteDocument, putWithoutTransaction, type Write } from '../shared/aws/document.store.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { LENGTH, type RollupRange, startOf } from './grain.ts';

/** Groups of one item, in bytes deflated: well below the 400 KB an item may have. */
const PART_BYTES = 200_000;
/** Groups tried first in one part; a group has some 100 bytes deflated. */
const PART_GROUPS = 1_500;

/** Rollups of an hour's minutes, a day's hours, a month's days lie side by side. */
const partitionOf = (tenantId: string, grain: RollupGrain, start: number): string => {
  const instant = new Date(start).toISOString();
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

const sortKeyOf = (start: number, part: number): string =>
  `${new Date(start).toISOString()}#${String(part).padStart(3, '0')}`;

const Groups = z.array(RollupGroup);

const pack = (groups: readonly RollupGroup[]): Buffer => deflateRawSync(JSON.stringify(groups));

/** Deflated parts, each small enough for an item. */
const partsOf = (groups: readonly RollupGroup[]): Buffer[] => {
  const packed = pack(groups);
  if (groups.length <= 1 || (groups.length <= PART_GROUPS && packed.length <= PART_BYTES)) return [packed];
  const half = Math.ceil(groups.length / 2);
  return [...partsOf(groups.slice(0, half)), ...partsOf(groups.slice(half))];
};

const unpack = (item: Item): RollupGroup[] =>
  Groups.parse(JSON.parse(inflateRawSync(item['groups']?.B ?? new Uint8Array()).toString('utf8')));

export interface RollupReader {
  /** The rollups of a stretch in order of time, strongly consistent; periods in which nothing happened are left out. */
  readonly read: (tenantId: string, stretch: RollupRange) => Promise<Rollup[]>;
}

/** A partition is read anew where parts of two writings of a rollup met in one reading. */
const READ_TRIES = 5;

const readPartition = async (table: string, pk: string, from: number, to: number): Promise<Item[]> => {
  const found: Item[] = [];
  let resume: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': { S: pk },
          ':from': { S: sortKeyOf(from, 0) },
          ':to': { S: `${new Date(to - 1).toISOString()}~` },
        },
        ExclusiveStartKey: resume,
      }),
    );
    for (const item of Items) found.push(item);
    resume = LastEvaluatedKey;
  } while (resume !== undefined);
  return found;
};

const startIn = (item: Item): number => Date.parse((item['sk']?.S ?? '').slice(0, INSTANT_LENGTH));
const numberIn = (item: Item | undefined, name: string): number => Number(item?.[name]?.N ?? 0);

/** A query does not see a transaction as one: whether all parts of a rollup are of one writing. */
const isWhole = (parts: readonly Item[]): boolean =>
  parts.length === numberIn(parts[0], 'parts') &&
  parts.every((part) => numberIn(part, 'revision') === numberIn(parts[0], 'revision'));

export const rollupReader = (table: string): RollupReader => ({
  read: async (tenantId, { grain, from, to }) => {
    const rollups: Rollup[] = [];
    for (let start = from; start < to; start = NEXT_PARTITION[grain](start)) {
      const pk = partitionOf(tenantId, grain, start);
      for (let attempt = 1; ; attempt += 1) {
        const periods = [...Map.groupBy(await readPartition(table, pk, start, to), startIn)];
        if (!periods.every(([, parts]) => isWhole(parts))) {
          if (attempt === READ_TRIES) throw new Error('a rollup is written again and again');
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

/** What a writer has seen of a rollup before it read what it sums: 0 where there is none. */
export interface RollupRevision {
  readonly revision: number;
  readonly parts: number;
}

export interface RollupWriter extends RollupReader {
  readonly readRevision: (tenantId: string, grain: RollupGrain, start: number) => Promise<RollupRevision>;
  /** Puts a rollup; false when somebody else wrote it since it was seen. */
  readonly put: (tenantId: string, rollup: Rollup, seen: RollupRevision) => Promise<boolean>;
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
      // The first part stands for all: they are written together.
      ...(index === 0 && {
        ConditionExpression:
          expectedRevision.revision === 0 ? 'attribute_not_exists(pk)' : 'revision = :seen',
        ...(expectedRevision.revision > 0 && {
          ExpressionAttributeValues: { ':seen': { N: String(expectedRevision.revision) } },
        }),
      }),
    }));
    const left = Array.from({ length: Math.max(0, expectedRevision.parts - parts.length) }, (_, index) =>
      deleteDocument(table, { pk, sk: sortKeyOf(start, parts.length + index) }),
    );
    const [only, ...others] = puts;
    return only !== undefined && others.length + left.length === 0
      ? putWithoutTransaction(only)
      : commit([...puts.map((put): Write => ({ Put: put })), ...left]);
  },
});
