import type { Rollup, RollupGrain } from '../../../schemas/ledger/rollup.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { splitIntoRollupRanges } from './grain.ts';
import type { RollupReader } from './rollup.store.ts';

/**
 * Reads the rollups that cover a period exactly, in chronological order. `coarsest` is the coarsest grain to use, and finer
 * grains are used at both ends. Both ends must be on a whole minute, `to` excluded. The number of reads depends only on the
 * length of the period.
 */
export const readRollups = async (
  reader: RollupReader,
  tenantId: string,
  period: Interval,
  coarsest: RollupGrain = 'day',
): Promise<Rollup[]> => {
  const read = await Promise.all(
    splitIntoRollupRanges(period.from, period.to, coarsest).map((range) => reader.read(tenantId, range)),
  );
  return read.flat();
};
