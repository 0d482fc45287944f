import { exportBuckets } from './buckets.ts';
import { exportLoad } from './exportLoad.ts';
import { stepRows } from './exportStepRows.ts';
import { measureExport } from './exportWhole.ts';
import { ledgerLoader } from './ledgerLoader.ts';
import { bundleHandler } from './meteredFunction.ts';
import type { MeasuredService } from './service.ts';
import { type Row, type Table, table } from './table.ts';

const GRAINS = ['record', 'day'] as const;
const MEMORY_NOTE =
  'Each line is a process of its own: its whole resident memory at the most, and before its first call.';

/** Exports of a ledger as it grows to each size: whole, and step by step; and DuckDB writing the same rows. */
export const benchExports = async (service: MeasuredService, sizes: readonly number[]): Promise<Table[]> => {
  const driver = await bundleHandler('ownProcess.child', service.folder);
  const loader = await ledgerLoader(service, exportLoad());
  const buckets = exportBuckets(service);
  const rowsOf = stepRows(service, buckets, driver);
  const [whole, calls, gathering, writing]: [Row[], Row[], Row[], Row[]] = [[], [], [], []];
  let have = 0;
  for (const size of sizes) {
    await loader.load(size - have);
    have = size;
    const made = await measureExport(service, buckets);
    whole.push(made.row);
    calls.push(...made.calls);
    for (const grain of GRAINS) {
      const rows = await rowsOf(made.plan, made.records, grain);
      gathering.push(...rows.gathering);
      writing.push(...rows.writing);
    }
  }
  loader.stop();
  buckets.stop();
  return [
    table(
      'FOCUS exports: the whole job, from the request to the last poll, a row for each meter of each call, as csv.gz',
      whole,
      'Through API and state machine on the embedded engines, which share the processors with the functions. What the request',
      'and its polls take is left out. No day is summed up, so a piece is a month.',
    ),
    table('FOCUS exports: AWS calls and capacity units of the whole job', calls),
    table('FOCUS exports: gathering, one piece at a time', gathering, MEMORY_NOTE),
    table(
      'FOCUS exports: writing, one stretch at a time, and DuckDB writing the same rows',
      writing,
      'Ours read their lines from S3, merge and fold them, make rows of columns, and upload what they write; DuckDB has them',
      'in memory as rows of columns, and writes a file by one thread.',
      MEMORY_NOTE,
    ),
  ];
};
