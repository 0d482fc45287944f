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
  logOf,
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
  /** Whether the log has rows in generations from `cut` on. */
  readonly hasRows: (tenantId: string, cut: number) => Promise<boolean>;
  /** Closes the open generation. Returns false when another compaction did. */
  readonly close: (tenantId: string, open: number) => Promise<boolean>;
  /** The rows from one generation to another, both included. */
  readonly rows: (tenantId: string, from: number, to: number) => AsyncGenerator<SortIndexBlock[], void>;
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
  ): Promise<boolean> => {
    try {
      await dynamodb.send(
        new UpdateItemCommand({
          TableName: table,
          Key: stateKey(tenantId),
          UpdateExpression: 'SET #name = :to',
          ConditionExpression: from === 0 ? 'attribute_not_exists(#name)' : '#name = :from',
          ExpressionAttributeNames: { '#name': name },
          ExpressionAttributeValues: {
            ':to': { N: String(to) },
            ...(from > 0 && { ':from': { N: String(from) } }),
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
    hasRows: async (tenantId, cut) => {
      const range = { from: generationKey(cut), to: ':' };
      const { value: first = [] } = await readBlocks(table, logOf(tenantId), range, 1).next();
      return first.length > 0;
    },
    close: (tenantId, open) => advance(tenantId, 'open', open, open + 1),
    rows: async function* (tenantId, from, to) {
      const range = { from: generationKey(from), to: `${generationKey(to)}~` };
      for await (const page of readBlocks(table, logOf(tenantId), range))
        yield page.map(({ block }) => block);
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
