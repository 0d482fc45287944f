import type { Rollup, RollupGrain } from '../../schemas/rollup.ts';
import { splitIntoRollupRanges } from './grain.ts';
import type { RollupReader } from './rollup.store.ts';

/**
 * The rollups that make up a period exactly, in order of time: days at most, finer ones where asked (`coarsest`) or at
 * its edges. Both ends lie on a minute; `to` is excluded. The number of reads follows from the length of the period
 * alone.
 */
export const readRollups = async (
  reader: RollupReader,
  tenantId: string,
  period: { readonly from: number; readonly to: number },
  coarsest: RollupGrain = 'day',
): Promise<Rollup[]> => {
  const read = await Promise.all(
    splitIntoRollupRanges(period.from, period.to, coarsest).map((range) => reader.read(tenantId, range)),
  );
  return read.flat();
};
