import pMap from 'p-map';
import type { Month } from '../../../platform/shared/time/month.ts';
import type { SortIndexBlock } from './sortIndexBlock.ts';
import {
  blocksOf,
  generationKey,
  logShardsOf,
  PREFIXES,
  readBlocks,
  readState,
} from './sortIndexItem.store.ts';

/** Months, and shards of the log, read in parallel. */
const CONCURRENCY = 8;

export interface SortIndexReader {
  /**
   * The sort entries of all versions that exist in these months, and some that do not exist. The log comes first: a row that
   * moves into a block during the read is then seen at least once.
   */
  readonly blocks: (tenantId: string, months: readonly Month[]) => Promise<SortIndexBlock[]>;
}

export const sortIndexReader = (table: string): SortIndexReader => ({
  blocks: async (tenantId, months) => {
    const found: SortIndexBlock[] = [];
    const collect = async (pk: string, range: { readonly from: string; readonly to: string }) => {
      for await (const page of readBlocks(table, pk, range)) found.push(...page.map(({ block }) => block));
    };
    const state = await readState(table, tenantId);
    const rows = { from: generationKey(state.cut), to: ':' };
    await pMap(logShardsOf(tenantId, state), (shard) => collect(shard, rows), { concurrency: CONCURRENCY });
    const blocks = { from: PREFIXES.small, to: `${PREFIXES.merged}~` };
    await pMap(months, (month) => collect(blocksOf(tenantId, month), blocks), { concurrency: CONCURRENCY });
    return found;
  },
});
