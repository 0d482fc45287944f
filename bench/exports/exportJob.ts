import { setTimeout as sleep } from 'node:timers/promises';
import { ExecutionPlan, readWork } from '../../functions/chargeback/exports/steps/workDocuments.ts';
import { utcDateOf } from '../../functions/platform/shared/time/toIso.ts';
import { ExportJob, ExportStarted } from '../../schemas/chargeback/exports.ts';
import { OCCUPIED_HOURS } from '../ledger/ledgerLoader.ts';
import type { MeasuredService } from '../support/service.ts';
import type { Row } from '../support/table.ts';
import { request } from '../support/traffic.ts';
import { callRows, filterUsage, subtractUsage, sumOf } from '../support/usage.ts';
import { awaitTotals } from './awaitTotals.ts';
import type { exportBuckets } from './exportBuckets.ts';
import { exportCost } from './exportCost.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const POLL_INTERVAL_MS = 250;
const UNAVAILABLE = 503;
const isStep = /^WorkersExport/;

/** Period that covers every loaded record. */
const period = () => ({
  from: utcDateOf(Math.min(...OCCUPIED_HOURS)),
  to: utcDateOf(Math.max(...OCCUPIED_HOURS) + DAY_MS),
});

type Result = NonNullable<ExportJob['result']>;

/** Requests a csv.gz export with one row per record and polls until it succeeds. Throws when it ends in another state. */
const requestExport = async ({ runtime, reader }: MeasuredService) => {
  const key = reader.api_keys.admin;
  const startedAt = performance.now();
  const body = { period: period(), granularity: 'record', file_format: 'csv.gz' };
  const { text } = await request(`${runtime.baseUrl}/v1/exports/focus`, key, body);
  const { status_url } = ExportStarted.parse(JSON.parse(text));
  for (;;) {
    // The engines share the cores with the functions, and may answer late.
    const answer = await request(status_url, key, undefined, [UNAVAILABLE]);
    if (answer.status === UNAVAILABLE) {
      await sleep(POLL_INTERVAL_MS);
      continue;
    }
    const job = ExportJob.parse(JSON.parse(answer.text));
    const { status, result } = job;
    const seconds = (performance.now() - startedAt) / 1_000;
    if (status === 'succeeded' && result !== null) return { job, result, seconds };
    if (status !== 'queued' && status !== 'running') {
      throw new Error(`the export ended with status ${status}: ${JSON.stringify(job.error)}`);
    }
    await sleep(POLL_INTERVAL_MS);
  }
};

/** Records that an export read, including excluded ones. */
const examinedRecords = ({ records, excluded_records }: Result): number => records + excluded_records;

/** Throws for an export with fewer rows than records: its speed and cost would be those of nothing. Each call has at least one meter. */
export const requireAllRecords = ({ row_count }: Pick<Result, 'row_count'>, loaded: number): void => {
  if (row_count < loaded) throw new Error(`the export has ${row_count} rows of ${loaded} records`);
};

/** Exports everything that is loaded. Calls that the totals do not hold have no rows, so they are summed first. Resolves to its cost and duration, and to its execution plan. */
export const measureExportJob = async (
  service: MeasuredService,
  { work }: ReturnType<typeof exportBuckets>,
  loaded: number,
): Promise<{
  readonly planKey: string;
  readonly plan: ExecutionPlan;
  readonly records: number;
  /** Of all billed resources. */
  readonly usd: number;
  readonly row: Row;
  readonly calls: readonly Row[];
}> => {
  await awaitTotals(service, period(), loaded);
  const before = service.usage();
  const { job, result, seconds } = await requestExport(service);
  requireAllRecords(result, loaded);
  const used = filterUsage(subtractUsage(before, service.usage()), isStep);
  // What belongs to the plan has its key as a prefix.
  const [key = ''] = await work.keysOf(`${service.reader.tenant_id}/${job.job_id}/plan-`);
  const plan = await readWork(work, key, ExecutionPlan);
  const records = examinedRecords(result);
  const partitions = plan.partitions.length;
  const dollars = exportCost(service, used, { partitions, ranges: job.progress.total - partitions });
  const usd = Object.values(dollars).reduce((sum, one) => sum + one, 0);
  return {
    planKey: key,
    plan,
    records,
    usd,
    row: {
      records,
      'excluded records': result.excluded_records,
      rows: result.row_count,
      'time partitions': partitions,
      seconds,
      'records/s': records / seconds,
      'AWS calls': sumOf(used, /./),
      ...Object.fromEntries(Object.entries(dollars).map(([what, sum]) => [`${what}, $`, sum.toFixed(5)])),
      'total, $': usd.toFixed(5),
      'per million records, $': ((usd / records) * 1e6).toFixed(3),
    },
    calls: callRows(used, 1).map((counted) => ({ records, ...counted })),
  };
};
