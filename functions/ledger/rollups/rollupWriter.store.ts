import { randomUUID } from 'node:crypto';
import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import type { Rollup, RollupGrain } from '../../../schemas/ledger/rollup.ts';
import { putWithoutTransaction } from '../../platform/shared/aws/document.store.ts';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { type Content, noContent } from '../records/content.ts';
import { RETENTION_MILLISECONDS } from '../records/ledgerItem.ts';
import type { RollupRange } from './grain.ts';
import { closePeriod, type OpenPeriod, openPeriod, readOpenPeriods } from './openPeriod.store.ts';
import { type CountedReader, readItems, rollupReader } from './rollup.store.ts';
import type { CountedRollup } from './rollup.ts';
import {
  CONTENT_ATTRIBUTES,
  contentIn,
  generationOf,
  headKeyOf,
  type Item,
  isHead,
  lostParts,
  numberIn,
  packParts,
  partitionOf,
  partKeyOf,
  type RollupUnit,
  unitIn,
} from './rollupItem.ts';

/** Parts of one rollup written in parallel. */
const PART_CONCURRENCY = 4;

/** What the next write of a unit depends on, read before its sources. */
export interface RollupRevision {
  /** 0 when it does not exist. */
  readonly revision: number;
  /** The items that hold its groups, if they are not in its head. */
  readonly generation?: string | undefined;
  readonly parts: number;
}

/** A stored unit, without its groups. */
export interface RollupHead {
  readonly start: number;
  readonly shard: number;
  readonly revision: RollupRevision;
  readonly content: Content;
  /** When its sources were read, epoch milliseconds. */
  readonly asOf: number;
  /** The tags that its groups tell apart. */
  readonly tags: readonly string[];
}

/** The revision of a rollup that does not exist. */
export const NO_ROLLUP: RollupRevision = { revision: 0, parts: 0 };

const revisionIn = (head: Item | undefined): RollupRevision =>
  head === undefined
    ? NO_ROLLUP
    : {
        revision: numberIn(head, 'revision'),
        generation: head['generation']?.S,
        parts: numberIn(head, 'parts'),
      };

const HEAD_ATTRIBUTES = `sk, revision, generation, parts, ${CONTENT_ATTRIBUTES}, as_of, tags`;

const readRevision = async (table: string, tenantId: string, unit: RollupUnit): Promise<RollupRevision> => {
  const { Item } = await dynamodb.send(
    new GetItemCommand({
      TableName: table,
      Key: { pk: { S: partitionOf(tenantId, unit.grain, unit.start) }, sk: { S: headKeyOf(unit) } },
      ProjectionExpression: HEAD_ATTRIBUTES,
      ConsistentRead: true,
    }),
  );
  return revisionIn(Item);
};

/** The ledger shard of a minute, and the tags that its groups tell apart. */
interface RollupOrigin {
  readonly shard: number;
  readonly tags: readonly string[];
}

export interface RollupWriter extends CountedReader {
  /** The revision of a unit. Hours and days have shard 0. */
  readonly readRevision: (
    tenantId: string,
    grain: RollupGrain,
    start: number,
    shard?: number,
  ) => Promise<RollupRevision>;
  /** The units of a range within one partition. Removes parts that a writer left which died before it wrote their head. */
  readonly readHeads: (tenantId: string, range: RollupRange) => Promise<RollupHead[]>;
  /** Writes a unit. Returns false when its revision is no longer the expected one. */
  readonly put: (
    tenantId: string,
    rollup: Rollup & Partial<Pick<CountedRollup, 'content'>> & Partial<RollupOrigin>,
    expectedRevision: RollupRevision,
  ) => Promise<boolean>;
  readonly openPeriods: (tenantId: string) => Promise<OpenPeriod[]>;
  readonly openPeriod: (tenantId: string, period: OpenPeriod) => Promise<void>;
  readonly closePeriod: (tenantId: string, period: OpenPeriod) => Promise<void>;
}

/** `newGeneration` returns a unique name for the parts of one write. */
export const rollupWriter = (table: string, newGeneration: () => string = randomUUID): RollupWriter => ({
  ...rollupReader(table),
  readRevision: (tenantId, grain, start, shard = 0) => readRevision(table, tenantId, { grain, start, shard }),
  readHeads: async (tenantId, { grain, from, to }) => {
    const pk = partitionOf(tenantId, grain, from);
    const items = await readItems(table, pk, { from, to }, HEAD_ATTRIBUTES);
    await deleteItems(
      table,
      pk,
      lostParts(items).flatMap(({ sk }) => sk?.S ?? []),
    );
    return items.filter(isHead).map((head) => ({
      ...unitIn(head),
      revision: revisionIn(head),
      content: contentIn(head),
      asOf: numberIn(head, 'as_of'),
      tags: (head['tags']?.L ?? []).flatMap(({ S }) => S ?? []),
    }));
  },
  /**
   * The parts of a large sum are written under a new generation first, which no reader looks at. Then the head names the
   * generation. So a sum of any size changes at once, without a transaction.
   */
  put: async (
    tenantId,
    { grain, start, asOf, content = noContent, groups, shard = 0, tags = [] },
    expected,
  ) => {
    const pk = partitionOf(tenantId, grain, start);
    const sk = headKeyOf({ start, shard });
    const ttl = { N: String(Math.ceil((start + RETENTION_MILLISECONDS) / 1_000)) };
    const packed = packParts(groups);
    const [only] = packed;
    const generation = packed.length > 1 ? generationOf(expected.revision + 1, newGeneration()) : undefined;
    if (generation !== undefined) {
      const keys = packed.map((part, index) => ({ part, key: partKeyOf(sk, generation, index) }));
      await pMap(
        keys,
        ({ part, key }) =>
          dynamodb.send(
            new PutItemCommand({
              TableName: table,
              Item: { pk: { S: pk }, sk: { S: key }, groups: { B: part }, ttl },
            }),
          ),
        { concurrency: PART_CONCURRENCY },
      );
    }
    const isWritten = await putWithoutTransaction({
      TableName: table,
      Item: {
        pk: { S: pk },
        sk: { S: sk },
        revision: { N: String(expected.revision + 1) },
        as_of: { N: String(asOf) },
        versions: { N: String(content.versions) },
        digest: { S: content.digest },
        ...(tags.length > 0 && { tags: { L: tags.map((tag) => ({ S: tag })) } }),
        ...(generation === undefined
          ? { groups: { B: only ?? new Uint8Array() } }
          : { generation: { S: generation }, parts: { N: String(packed.length) } }),
        ttl,
      },
      ConditionExpression: expected.revision === 0 ? 'attribute_not_exists(pk)' : 'revision = :expected',
      ...(expected.revision > 0 && {
        ExpressionAttributeValues: { ':expected': { N: String(expected.revision) } },
      }),
    });
    if (!isWritten && generation !== undefined) {
      // A lost answer makes the SDK repeat the write, whose condition then fails on what the first attempt wrote.
      const current = await readRevision(table, tenantId, { grain, start, shard });
      if (current.generation !== generation) {
        await deleteParts(table, pk, sk, generation, packed.length);
        return false;
      }
    } else if (!isWritten) return false;
    if (expected.generation !== undefined) {
      await deleteParts(table, pk, sk, expected.generation, expected.parts);
    }
    return true;
  },
  openPeriods: (tenantId) => readOpenPeriods(table, tenantId),
  openPeriod: (tenantId, period) => openPeriod(table, tenantId, period),
  closePeriod: (tenantId, period) => closePeriod(table, tenantId, period),
});

const deleteItems = (table: string, pk: string, keys: readonly string[]): Promise<unknown> =>
  pMap(
    keys,
    (key) =>
      dynamodb.send(new DeleteItemCommand({ TableName: table, Key: { pk: { S: pk }, sk: { S: key } } })),
    { concurrency: PART_CONCURRENCY },
  );

/** Deletes the parts of a generation that no head names. */
const deleteParts = (
  table: string,
  pk: string,
  sk: string,
  generation: string,
  parts: number,
): Promise<unknown> =>
  deleteItems(
    table,
    pk,
    Array.from({ length: parts }, (_, index) => partKeyOf(sk, generation, index)),
  );
