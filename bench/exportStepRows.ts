import { objectKeys } from '../functions/exports/job/objectKeys.ts';
import type { ExecutionPlan } from '../functions/exports/steps/workDocuments.ts';
import type { Granularity } from '../schemas/focus.ts';
import type { exportBuckets } from './buckets.ts';
import { startDuckDb } from './duckDb.ts';
import { exportSteps } from './exportSteps.ts';
import { MemoryGrowth } from './memoryGrowth.ts';
import type { MeasuredService } from './service.ts';
import type { Row } from './table.ts';

const MEGABYTE = 1e6;
/** Parquet first: DuckDB is given its rows from there. */
const FORMATS = ['parquet', 'csv.gz'] as const;

/** What the steps of an export take at a grain, and DuckDB beside them; peaks are held against those of the call before. */
export const stepRows = (
  service: MeasuredService,
  { work, delivered }: ReturnType<typeof exportBuckets>,
  driver: string,
) => {
  const steps = exportSteps(service, work, driver);
  const growth = new MemoryGrowth();

  const gatheringRow = async (key: string, plan: ExecutionPlan, records: number): Promise<Row> => {
    const { granularity } = plan.job.request;
    const taken = await steps.gather(key, plan);
    return {
      records,
      'a row is a': granularity,
      'records/s': records / taken.seconds,
      'records a CPU second': records / taken.cpuSeconds,
      ...growth.cells(`gather ${granularity}`, records, taken),
    };
  };

  return async (
    plan: ExecutionPlan,
    records: number,
    grain: Granularity,
  ): Promise<{ readonly gathering: readonly Row[]; readonly writing: readonly Row[] }> => {
    const gathering: Row[] = [];
    const writing: Row[] = [];
    let gathered: string | undefined;
    const duckDb = await startDuckDb(driver, service.folder);
    for (const format of FORMATS) {
      const { key, plan: like } = await steps.planLike(plan, grain, format);
      if (gathered === undefined) gathering.push(await gatheringRow(key, like, records));
      else await steps.share(gathered, key, like);
      gathered = key;
      const { taken, files, rows, bytes } = await steps.write(key);
      if (format === 'parquet') {
        const keys = objectKeys(like.tenant.tenant_id, like.job.job_id);
        const names = files.map(({ month, part }) => keys.file(month, part, format));
        await duckDb.load(await Promise.all(names.map((name) => delivered.bytes(name))));
      }
      const theirs = await duckDb.write(format);
      writing.push({
        records,
        'a row is a': grain,
        format,
        rows,
        MB: bytes / MEGABYTE,
        'rows/s': rows / taken.seconds,
        'rows a CPU second': rows / taken.cpuSeconds,
        'DuckDB rows/s': rows / theirs,
        'share of DuckDB': theirs / taken.seconds,
        ...growth.cells(`write ${grain} ${format}`, records, taken),
      });
    }
    duckDb.stop();
    return { gathering, writing };
  };
};
