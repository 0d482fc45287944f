import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import type { Month } from '../../../platform/shared/time/month.ts';
import type { SortEntry } from './sortEntry.ts';
import type { SortIndexBlock } from './sortIndexBlock.ts';
import {
  type BlockKind,
  blocksOf,
  generationKey,
  type LogState,
  logShardsOf,
  PREFIXES,
  put,
  readBlocks,
  readState,
  type StoredBlock,
  stateKey,
  toBlockItem,
} from './sortIndexItem.store.ts';

/** Blocks deleted in parallel. */
const CONCURRENCY = 8;

export interface BlockKey {
  readonly month: Month;
  readonly key: string;
}

export interface SortIndexCompactionStore {
  readonly state: (tenantId: string) => Promise<LogState>;
  /** A row of a generation from the cut on, or undefined if the log has none. */
  readonly firstRow: (tenantId: string, state: LogState) => Promise<SortIndexBlock | undefined>;
  /**
   * Closes the open generation, and spreads the rows of the next one over 2 to the power of `shardBits` partitions. Returns
   * false when another compaction did.
   */
  readonly close: (tenantId: string, state: LogState, shardBits: number) => Promise<boolean>;
  /** The rows of a closed generation. */
  readonly rows: (
    tenantId: string,
    state: LogState,
    generation: number,
  ) => AsyncGenerator<SortIndexBlock[], void>;
  readonly putBlock: (
    tenantId: string,
    month: Month,
    kind: BlockKind,
    sortEntries: readonly SortEntry[],
  ) => Promise<BlockKey>;
  readonly smallBlocks: (
    tenantId: string,
    month: Month,
  ) => Promise<readonly { readonly key: string; readonly block: SortIndexBlock }[]>;
  readonly deleteBlocks: (tenantId: string, keys: readonly BlockKey[]) => Promise<void>;
  /** Moves the cut. Returns false when another compaction did. */
  readonly moveCut: (tenantId: string, from: number, to: number) => Promise<boolean>;
}

export const sortIndexCompactionStore = (table: string): SortIndexCompactionStore => {
  const advance = async (
    tenantId: string,
    name: 'open' | 'cut',
    from: number,
    to: number,
    shardBits?: number,
  ): Promise<boolean> => {
    try {
      await dynamodb.send(
        new UpdateItemCommand({
          TableName: table,
          Key: stateKey(tenantId),
          UpdateExpression: `SET #name = :to${shardBits === undefined ? '' : ', shardBits = :shardBits'}`,
          ConditionExpression: from === 0 ? 'attribute_not_exists(#name)' : '#name = :from',
          ExpressionAttributeNames: { '#name': name },
          ExpressionAttributeValues: {
            ':to': { N: String(to) },
            ...(from > 0 && { ':from': { N: String(from) } }),
            ...(shardBits !== undefined && { ':shardBits': { N: String(shardBits) } }),
          },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };

  return {
    state: (tenantId) => readState(table, tenantId),
    firstRow: async (tenantId, state) => {
      const range = { from: generationKey(state.cut), to: ':' };
      for (const shard of logShardsOf(tenantId, state)) {
        const { value: [first] = [] } = await readBlocks(table, shard, range, 1).next();
        if (first !== undefined) return first.block;
      }
      return undefined;
    },
    close: (tenantId, { open }, shardBits) => advance(tenantId, 'open', open, open + 1, shardBits),
    rows: async function* (tenantId, state, generation) {
      const from = generationKey(generation);
      for (const shard of logShardsOf(tenantId, state)) {
        for await (const page of readBlocks(table, shard, { from, to: `${from}~` }))
          yield page.map(({ block }) => block);
      }
    },
    putBlock: async (tenantId, month, kind, sortEntries) => {
      const item = toBlockItem(tenantId, month, kind, sortEntries);
      await put(table, item);
      return { month, key: item.sk.S };
    },
    smallBlocks: async (tenantId, month) => {
      const range = { from: PREFIXES.small, to: `${PREFIXES.small}~` };
      const found: StoredBlock[] = [];
      for await (const page of readBlocks(table, blocksOf(tenantId, month), range)) found.push(...page);
      return found;
    },
    deleteBlocks: async (tenantId, keys) => {
      await pMap(
        keys,
        ({ month, key }) =>
          dynamodb.send(
            new DeleteItemCommand({
              TableName: table,
              Key: { pk: { S: blocksOf(tenantId, month) }, sk: { S: key } },
            }),
          ),
        { concurrency: CONCURRENCY },
      );
    },
    moveCut: (tenantId, from, to) => advance(tenantId, 'cut', from, to),
  };
};
