import * as fc from 'fast-check';

/** Runs of a property in the soak (`npm run test:soak`) for each run in the usual suite. */
const RUNS_SCALE = Number(process.env['PROPERTY_RUNS_SCALE'] ?? 1);

/** Whether this is the soak, which has time for more cases. */
export const isSoak = RUNS_SCALE !== 1;

/** The number of runs of an expensive property, so that the usual suite stays fast and the soak searches further. */
export const runs = (usual: number): number => usual * RUNS_SCALE;

const DEFAULT_RUNS = 100;
/**
 * The usual suite always checks the same values. The soak draws other values each time. Both print the seed of a
 * failure, and `PROPERTY_SEED` repeats it.
 */
const FIXED_SEED = 20_260_301;
const seed = process.env['PROPERTY_SEED'] ?? (RUNS_SCALE === 1 ? FIXED_SEED : undefined);

fc.configureGlobal({
  numRuns: runs(DEFAULT_RUNS),
  ...(seed !== undefined && { seed: Number(seed) }),
});
