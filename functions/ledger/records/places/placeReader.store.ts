import pMap from 'p-map';
import type { Month } from '../../../platform/shared/time/month.ts';
import type { PlaceBlock } from './placeBlock.ts';
import { blocksOf, generationKey, logOf, PREFIXES, readBlocks, readState } from './placeItem.store.ts';

/** Months read in parallel. */
const CONCURRENCY = 8;

export interface PlaceReader {
  /**
   * The places of all versions that exist in these months, and some that do not exist. The log comes first: a row that
   * moves into a block during the read is then seen at least once.
   */
  readonly blocks: (tenantId: string, months: readonly Month[]) => Promise<PlaceBlock[]>;
}

export const placeReader = (table: string): PlaceReader => ({
  blocks: async (tenantId, months) => {
    const found: PlaceBlock[] = [];
    const collect = async (pk: string, range: { readonly from: string; readonly to: string }) => {
      for await (const page of readBlocks(table, pk, range)) found.push(...page.map(({ block }) => block));
    };
    const { cut } = await readState(table, tenantId);
    await collect(logOf(tenantId), { from: generationKey(cut), to: ':' });
    const blocks = { from: PREFIXES.small, to: `${PREFIXES.merged}~` };
    await pMap(months, (month) => collect(blocksOf(tenantId, month), blocks), { concurrency: CONCURRENCY });
    return found;
  },
});
