import { objectKeys } from '../../functions/chargeback/exports/job/objectKeys.ts';
import type { ExecutionPlan } from '../../functions/chargeback/exports/steps/workDocuments.ts';
import type { Granularity } from '../../schemas/chargeback/focus.ts';
import type { MeasuredService } from '../support/service.ts';
import { goal, type Row } from '../support/table.ts';
import { startDuckDb } from './duckDb.ts';
import type { exportBuckets } from './exportBuckets.ts';
import { requireAllRecords } from './exportJob.ts';
import { exportSteps } from './exportSteps.ts';
import { MemoryGrowth } from './memoryGrowth.ts';

const MEGABYTE = 1e6;
/** Parquet first: DuckDB loads its rows from the Parquet files. */
const FORMATS = ['parquet', 'csv.gz'] as const;
/** Runs of the write step and of DuckDB, in turn: other load on the machine then slows both down. */
const RUNS = 3;
/** Most CPU time of the write step for that of DuckDB: .8 of its speed. */
const GOAL_CPU_RATIO = 1.25;

/** Measures the steps of an export at each grain, and DuckDB for comparison. Peak memory is compared with the previous ledger size. */
export const stepRows = (
  service: MeasuredService,
  { work, delivered }: ReturnType<typeof exportBuckets>,
  driver: string,
) => {
  const steps = exportSteps(service, work, driver);
  const growth = new MemoryGrowth();

  const aggregationRow = async (key: string, plan: ExecutionPlan, records: number): Promise<Row> => {
    const { granularity } = plan.job.request;
    const measured = await steps.gather(key, plan);
    return {
      records,
      granularity,
      'records/s': records / measured.seconds,
      'records/CPU s': records / measured.cpuSeconds,
      ...growth.cells(`aggregate ${granularity}`, records, measured),
    };
  };

  return async (
    job: { readonly planKey: string; readonly plan: ExecutionPlan; readonly records: number },
    grain: Granularity,
  ): Promise<{ readonly aggregation: readonly Row[]; readonly writing: readonly Row[] }> => {
    const { records } = job;
    const aggregation: Row[] = [];
    const writing: Row[] = [];
    let aggregatedPlanKey: string | undefined;
    const duckDb = await startDuckDb(driver, service.folder);
    for (const format of FORMATS) {
      const { key, plan: variant } = await steps.planVariant(job, grain, format);
      if (aggregatedPlanKey === undefined) aggregation.push(await aggregationRow(key, variant, records));
      else await steps.copyAggregates(aggregatedPlanKey, key, variant);
      aggregatedPlanKey = key;
      const sum = { seconds: 0, cpuSeconds: 0, duckDbSeconds: 0, duckDbCpuSeconds: 0 };
      let written = await steps.write(key);
      if (format === 'parquet') {
        const keys = objectKeys(variant.tenant.tenant_id, variant.job.job_id);
        const names = written.files.map(({ month, part }) => keys.file(month, part, format));
        await duckDb.load(await Promise.all(names.map((name) => delivered.bytes(name))));
      }
      for (let run = 1; ; run += 1) {
        const copied = await duckDb.write(format);
        sum.seconds += written.measured.seconds;
        sum.cpuSeconds += written.measured.cpuSeconds;
        sum.duckDbSeconds += copied.seconds;
        sum.duckDbCpuSeconds += copied.cpuSeconds;
        if (run === RUNS) break;
        written = await steps.write(key);
      }
      const { rows, bytes, measured } = written;
      if (grain === 'record') requireAllRecords({ row_count: rows }, records);
      const ratio = sum.cpuSeconds / sum.duckDbCpuSeconds;
      writing.push({
        records,
        granularity: grain,
        format,
        rows,
        MB: bytes / MEGABYTE,
        'rows/s': (RUNS * rows) / sum.seconds,
        'rows/CPU s': (RUNS * rows) / sum.cpuSeconds,
        'DuckDB rows/s': (RUNS * rows) / sum.duckDbSeconds,
        'DuckDB rows/CPU s': (RUNS * rows) / sum.duckDbCpuSeconds,
        'CPU relative to DuckDB': ratio,
        // By day there are so few rows that opening the database is most of the time.
        'goal of CPU': grain === 'record' ? goal(ratio, GOAL_CPU_RATIO) : null,
        ...growth.cells(`write ${grain} ${format}`, records, measured),
      });
    }
    duckDb.stop();
    return { aggregation, writing };
  };
};
