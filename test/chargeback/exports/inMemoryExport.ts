import {
  Aggregator,
  mergeSummaries,
  StoredSummary,
} from '../../../functions/chargeback/exports/aggregation/aggregator.ts';
import { exportRows } from '../../../functions/chargeback/exports/aggregation/exportRows.ts';
import { mergeRuns, type RunSource } from '../../../functions/chargeback/exports/aggregation/mergeRuns.ts';
import {
  type RecordCohorts,
  recordCohorts,
} from '../../../functions/chargeback/exports/aggregation/recordCohorts.ts';
import { RowTotalsCounter } from '../../../functions/chargeback/exports/aggregation/rowTotals.ts';
import {
  describeRun,
  encodeLines,
  readRun,
} from '../../../functions/chargeback/exports/aggregation/sortedRuns.ts';
import { writeFiles } from '../../../functions/chargeback/exports/files/files.ts';
import { buildMetadata } from '../../../functions/chargeback/exports/files/focusMetadata.ts';
import { buildManifest } from '../../../functions/chargeback/exports/files/manifest.ts';
import { objectKeys } from '../../../functions/chargeback/exports/job/objectKeys.ts';
import { exportPeriodOf } from '../../../functions/chargeback/exports/request/exportLimits.ts';
import {
  buildOutputPlan,
  type OutputPlan,
} from '../../../functions/chargeback/exports/request/outputPlan.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import {
  monthOf,
  monthsBetween,
  startOfMonth,
  startOfNextMonth,
} from '../../../functions/platform/shared/time/month.ts';
import {
  type ExportFile,
  type ExportManifest,
  ExportRequest,
  ExportManifest as ManifestSchema,
} from '../../../schemas/chargeback/focus.ts';
import { rollupsOfRecords, shownCohortsOf } from './shownCohorts.ts';

export const aRequest = (members: Record<string, unknown> = {}): ExportRequest =>
  ExportRequest.parse({
    format: 'focus',
    period: { from: '2026-09-01', to: '2026-11-01' },
    file_format: 'csv',
    ...members,
  });

export interface InMemoryExport {
  readonly plan: OutputPlan;
  readonly manifest: ExportManifest;
  readonly metadata: ReturnType<typeof buildMetadata>;
  readonly contents: ReadonlyMap<string, Buffer>;
}

const ALWAYS = { from: 0, to: Number.POSITIVE_INFINITY };
/** Small enough that most months have several runs. */
const LINES_MAXIMUM = 9;

const AT = Date.parse('2026-11-02T00:10:00.500Z');

/** Aggregates a month in several parts and serializes them, as an export with several partitions does. */
const gather = (records: readonly Attribution[], plan: OutputPlan, cohorts: RecordCohorts, parts: number) => {
  const aggregators = Array.from(
    { length: parts },
    () => new Aggregator(plan.grain, plan.admission, cohorts),
  );
  const sources: RunSource[] = [];
  const takeRun = (aggregator: Aggregator): void => {
    const lines = aggregator.takeLines();
    if (lines.length === 0) return;
    const text = encodeLines(lines);
    const run = describeRun('run', text, lines);
    const read = async (from: number, to: number) => Buffer.from(text).subarray(from, to + 1);
    sources.push({ first: run.first, lines: () => readRun(run, ALWAYS, read) });
  };
  records.forEach((record, index) => {
    const aggregator = aggregators[index % parts];
    aggregator?.add(record, AT);
    if (aggregator !== undefined && aggregator.size > LINES_MAXIMUM) takeRun(aggregator);
  });
  const summary = mergeSummaries(
    aggregators.map((aggregator) =>
      StoredSummary.parse(JSON.parse(JSON.stringify(StoredSummary.encode(aggregator.summary())))),
    ),
  );
  for (const aggregator of aggregators) takeRun(aggregator);
  return { summary, lines: mergeRuns(sources) };
};

/** Creates an export in memory with the functions of the service. */
export const exportInMemory = async (
  records: readonly Attribution[],
  members: Record<string, unknown> = {},
  {
    lane = null,
    split = false,
    parts = 2,
  }: { readonly lane?: string | null; readonly split?: boolean; readonly parts?: number } = {},
): Promise<InMemoryExport> => {
  const request = aRequest(members);
  const tenant = { tenant_id: 'acme', name: 'Acme' };
  const plan = buildOutputPlan(request, { tenant, lane, split, issuer: 'Acme AI Platform' });
  const keys = objectKeys('acme', 'exp_1');
  const { from, to } = exportPeriodOf(request);
  const totals = new RowTotalsCounter();
  const contents = new Map<string, Buffer>();
  const files: ExportFile[] = [];
  const folded = { groups: 0, cost: 0n };
  const rollups = rollupsOfRecords(records);
  const summaries = [];
  const byMonth = Map.groupBy(records, ({ record }) => monthOf(Date.parse(record.occurred_at)));
  for (const month of monthsBetween(from, to - 1)) {
    const inMonth = { from: Math.max(from, startOfMonth(month)), to: Math.min(to, startOfNextMonth(month)) };
    const cohorts = recordCohorts(await shownCohortsOf(rollups, inMonth, lane), [], null);
    const exported = (byMonth.get(month) ?? []).filter(({ record }) => {
      const at = Date.parse(record.occurred_at);
      return from <= at && at < to;
    });
    const { summary, lines } = gather(exported, plan, cohorts, parts);
    const rows = exportRows(lines, plan, totals);
    const written = await writeFiles(rows, plan.layout, async (part) => {
      const key = keys.file(month, part, request.file_format);
      return {
        write: async (bytes) => {
          contents.set(key, Buffer.concat([contents.get(key) ?? Buffer.alloc(0), bytes]));
        },
        close: async () => undefined,
      };
    });
    files.push(
      ...written.map((file, index) => ({
        key: keys.file(month, index + 1, request.file_format),
        billing_period: month,
        ...file,
      })),
    );
    folded.groups += summary.folded.groups.length;
    folded.cost += summary.folded.cost;
    summaries.push(summary);
  }
  const manifest = buildManifest({
    exportId: 'exp_1',
    request,
    plan,
    basis: 'records',
    summary: mergeSummaries(summaries),
    folded,
    totals,
    files,
    asOf: AT,
    isStale: false,
    createdAt: AT,
    finishedAt: AT,
  });
  const { mode, tenantId } = plan.biller;
  const metadata = buildMetadata({
    tenantId,
    mode,
    lane,
    version: plan.version,
    columns: plan.columns,
    period: { from, to },
    asOf: AT,
    isStale: false,
    finishedAt: AT,
  });
  return { plan, manifest: ManifestSchema.parse(manifest), metadata, contents };
};

/** The concatenated text of all files. */
export const fileTextOf = ({ contents }: InMemoryExport): string =>
  [...contents.values()].map((content) => content.toString('utf8')).join('');
