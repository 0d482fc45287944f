import { join } from 'node:path';
import { ledgerLoader } from '../ledger/ledgerLoader.ts';
import { bundleHandler } from '../support/meteredFunction.ts';
import type { MeasuredService } from '../support/service.ts';
import { type Row, type Table, table } from '../support/table.ts';
import { exportBuckets } from './exportBuckets.ts';
import { measureExportJob } from './exportJob.ts';
import { exportLoad } from './exportLoad.ts';
import { stepRows } from './exportStepRows.ts';

const GRAINS = ['record', 'day'] as const;
const MEMORY_NOTE =
  'Each row is a separate process. Memory is the resident set size: peak, and idle before the first invocation.';

/** Measures exports at each ledger size: the whole job, each step, and DuckDB writing the same rows. */
export const benchExports = async (service: MeasuredService, sizes: readonly number[]): Promise<Table[]> => {
  const driver = await bundleHandler(
    join(import.meta.dirname, '../support/isolatedProcess.child.ts'),
    service.folder,
  );
  const loader = await ledgerLoader(service, exportLoad(Math.min(...sizes)));
  const buckets = exportBuckets(service);
  const rowsOf = stepRows(service, buckets, driver);
  const [jobs, calls, aggregation, writing]: [Row[], Row[], Row[], Row[]] = [[], [], [], []];
  let loaded = 0;
  for (const size of sizes) {
    await loader.load(size - loaded);
    loaded = size;
    const job = await measureExportJob(service, buckets, loaded);
    jobs.push(job.row);
    calls.push(...job.calls);
    for (const grain of GRAINS) {
      const rows = await rowsOf(job, grain);
      aggregation.push(...rows.aggregation);
      writing.push(...rows.writing);
    }
  }
  loader.stop();
  buckets.stop();
  return [
    table(
      'FOCUS exports: whole job from request to last poll, csv.gz with one row per meter of each call',
      jobs,
      'Runs through the API and the state machine. The embedded engines share the cores with the functions. The request and the',
      'polls are excluded from the cost. No day is aggregated in advance, so a time partition is a month.',
    ),
    table('FOCUS exports: AWS calls and capacity units per job', calls),
    table('FOCUS exports: aggregation step, one time partition at a time', aggregation, MEMORY_NOTE),
    table(
      'FOCUS exports: write step, one range at a time, and DuckDB writing the same rows',
      writing,
      'The write step reads lines from S3, merges them, makes rows of them and uploads the file. DuckDB alone has the rows in',
      'memory and writes one file with one thread. Both run three times, in turn.',
      MEMORY_NOTE,
    ),
  ];
};
