import { setTimeout as sleep } from 'node:timers/promises';
import { ExecutionPlan, readWork } from '../functions/exports/steps/workDocuments.ts';
import { ExportJob, ExportStarted } from '../schemas/exports.ts';
import type { exportBuckets } from './buckets.ts';
import { exportDollars } from './exportCost.ts';
import { OCCUPIED_HOURS } from './ledgerLoader.ts';
import type { MeasuredService } from './service.ts';
import type { Row } from './table.ts';
import { request } from './traffic.ts';
import { callRows, filterUsage, subtractUsage, sumOf } from './usage.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1_000;
const POLL_MILLISECONDS = 250;
const isStep = /^WorkersExport/;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
/** All that is loaded. */
const period = () => ({
  from: dayOf(Math.min(...OCCUPIED_HOURS)),
  to: dayOf(Math.max(...OCCUPIED_HOURS) + DAY_MILLISECONDS),
});

type Result = NonNullable<ExportJob['result']>;

/** Asks for an export by record as csv.gz and waits for it, as a caller does. Throws where it comes to another end. */
const requestExport = async ({ runtime, reader }: MeasuredService) => {
  const key = reader.api_keys.admin;
  const began = performance.now();
  const asked = { period: period(), granularity: 'record', file_format: 'csv.gz' };
  const { text } = await request(`${runtime.baseUrl}/v1/exports/focus`, key, asked);
  const { status_url } = ExportStarted.parse(JSON.parse(text));
  for (;;) {
    const job = ExportJob.parse(JSON.parse((await request(status_url, key)).text));
    const { status, result } = job;
    const seconds = (performance.now() - began) / 1_000;
    if (status === 'succeeded' && result !== null) return { job, result, seconds };
    if (status !== 'queued' && status !== 'running') {
      throw new Error(`an export ended as ${status}: ${JSON.stringify(job.error)}`);
    }
    await sleep(POLL_MILLISECONDS);
  }
};

/** Records that an export looked at. */
const examinedRecords = ({ records, excluded_records }: Result): number => records + excluded_records;

/** Makes an export of all that is loaded: what it took, and the plan that its steps went by. */
export const measureExport = async (
  service: MeasuredService,
  { work }: ReturnType<typeof exportBuckets>,
): Promise<{
  readonly plan: ExecutionPlan;
  readonly records: number;
  readonly row: Row;
  readonly calls: readonly Row[];
}> => {
  const before = service.usage();
  const { job, result, seconds } = await requestExport(service);
  const used = filterUsage(subtractUsage(before, service.usage()), isStep);
  const key = await work.keyOf(`${service.reader.tenant_id}/${job.job_id}/plan-`);
  const plan = await readWork(work, key, ExecutionPlan);
  const records = examinedRecords(result);
  const pieces = plan.pieces.length;
  const dollars = exportDollars(service, used, { pieces, stretches: job.progress.total - pieces });
  const usd = Object.values(dollars).reduce((sum, one) => sum + one, 0);
  return {
    plan,
    records,
    row: {
      records,
      'left out': result.excluded_records,
      rows: result.row_count,
      pieces,
      seconds,
      'records/s': records / seconds,
      'AWS calls': sumOf(used, /./),
      ...Object.fromEntries(Object.entries(dollars).map(([what, sum]) => [`${what}, $`, sum.toFixed(5)])),
      'all, $': usd.toFixed(5),
      'a million records, $': ((usd / records) * 1e6).toFixed(3),
    },
    calls: callRows(used, 1).map((counted) => ({ records, ...counted })),
  };
};
