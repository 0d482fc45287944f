import { randomUUID } from 'node:crypto';
import { type AttributeValue, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DAY_SECONDS } from '../../../../schemas/durations.ts';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import { queryPages } from '../../../platform/shared/aws/queryPages.store.ts';
import type { Month } from '../../../platform/shared/time/month.ts';
import { RETENTION_MILLISECONDS } from '../ledgerItem.ts';
import type { SortEntry } from './sortEntry.ts';
import { packSortEntries, type SortIndexBlock, unpackSortEntries } from './sortIndexBlock.ts';

type Item = Record<string, AttributeValue>;

/**
 * State of a tenant's log. Rows are written to the generation `open`. A writer that has not read it yet still writes to an
 * earlier one.
 * All rows of generations before `cut` are in blocks.
 *
 * Rows are spread over 2 to the power of `shardBits` partitions. It only grows, and only together with `open`: so all rows of
 * a closed generation are in the partitions of the state in which it was open.
 */
export interface LogState {
  readonly open: number;
  readonly cut: number;
  readonly shardBits: number;
}

/** Blocks outlive their records. */
const BLOCK_RETENTION_SECONDS = RETENTION_MILLISECONDS / 1_000 + 31 * DAY_SECONDS;

/** The partition of the state of a log, and of its first shard. */
const logOf = (tenantId: string): string => `${tenantId}#sortIndex#log`;
/** The partition of a shard of the log. */
export const logShardOf = (tenantId: string, shard: number): string =>
  shard === 0 ? logOf(tenantId) : `${logOf(tenantId)}#${shard}`;
/** All partitions of a log. */
export const logShardsOf = (tenantId: string, { shardBits }: Pick<LogState, 'shardBits'>): string[] =>
  Array.from({ length: 2 ** shardBits }, (_, shard) => logShardOf(tenantId, shard));
export const blocksOf = (tenantId: string, month: Month): string => `${tenantId}#sortIndex#${month}`;
export const generationKey = (generation: number): string => String(generation).padStart(12, '0');
/** Sorts after the rows of the log. */
const STATE = 'state';

/**
 * Sort key prefixes of blocks. Merging writes a `merged` block before it deletes its `small` ones, and readers read in
 * ascending order. So a sort entry that moves during a read is seen at least once.
 */
export const PREFIXES = { small: '1#', merged: '2#' } as const;
export type BlockKind = keyof typeof PREFIXES;

export const stateKey = (tenantId: string): Item => ({ pk: { S: logOf(tenantId) }, sk: { S: STATE } });
export const expiresIn = (seconds: number): AttributeValue => ({
  N: String(Math.ceil(Date.now() / 1_000) + seconds),
});

export const readState = async (table: string, tenantId: string): Promise<LogState> => {
  const { Item } = await dynamodb.send(
    new GetItemCommand({ TableName: table, Key: stateKey(tenantId), ConsistentRead: true }),
  );
  const number = (name: string): number => Number(Item?.[name]?.N ?? 0);
  return { open: number('open'), cut: number('cut'), shardBits: number('shardBits') };
};

export interface StoredBlock {
  readonly key: string;
  readonly block: SortIndexBlock;
}

/** The blocks between two sort keys, in ascending order, strongly consistent. */
export async function* readBlocks(
  table: string,
  pk: string,
  range: { readonly from: string; readonly to: string },
  limit?: number,
): AsyncGenerator<StoredBlock[], void> {
  const query = {
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': { S: pk }, ':from': { S: range.from }, ':to': { S: range.to } },
    Limit: limit,
  };
  for await (const items of queryPages(query)) {
    yield items.map((item) => ({
      key: item['sk']?.S ?? '',
      block: unpackSortEntries(item['sortEntries']?.B ?? new Uint8Array()),
    }));
  }
}

/** A block of a month as a table item, under a new key. */
export const toBlockItem = (
  tenantId: string,
  month: Month,
  kind: BlockKind,
  sortEntries: readonly SortEntry[],
) => ({
  pk: { S: blocksOf(tenantId, month) },
  sk: { S: `${PREFIXES[kind]}${randomUUID()}` },
  sortEntries: { B: packSortEntries(sortEntries) },
  ttl: expiresIn(BLOCK_RETENTION_SECONDS),
});

export const put = async (table: string, item: Item): Promise<void> => {
  await dynamodb.send(new PutItemCommand({ TableName: table, Item: item }));
};
