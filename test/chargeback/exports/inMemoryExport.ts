import { readFileSync } from 'node:fs';
import {
  Aggregator,
  mergeSummaries,
  StoredSummary,
  type Summary,
} from '../../../functions/chargeback/exports/aggregation/aggregator.ts';
import {
  type RecordCohorts,
  recordCohorts,
} from '../../../functions/chargeback/exports/aggregation/recordCohorts.ts';
import {
  mergeTotals,
  type RowTotals,
  readRowTotals,
} from '../../../functions/chargeback/exports/aggregation/rowTotals.ts';
import type { WorkStore } from '../../../functions/chargeback/exports/files/file.store.ts';
import { buildMetadata } from '../../../functions/chargeback/exports/files/focusMetadata.ts';
import { buildManifest } from '../../../functions/chargeback/exports/files/manifest.ts';
import { writeFiles } from '../../../functions/chargeback/exports/files/writeFiles.ts';
import { objectKeys } from '../../../functions/chargeback/exports/job/objectKeys.ts';
import { type Database, withDatabase } from '../../../functions/chargeback/exports/lines/database.ts';
import { createLineTable } from '../../../functions/chargeback/exports/lines/lineTable.ts';
import {
  loadLines,
  type StoredLines,
  storeLines,
} from '../../../functions/chargeback/exports/lines/storedLines.ts';
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
import type { NodeHourLine } from '../../../schemas/attribution/nodeHours.ts';
import {
  type ExportFile,
  type ExportManifest,
  ExportManifest as ManifestSchema,
} from '../../../schemas/chargeback/exportManifest.ts';
import { ExportRequest } from '../../../schemas/chargeback/focus.ts';
import { rollupsOfRecords, shownCohortsOf, TAGS } from './shownCohorts.ts';
import { simulatedBuckets } from './simulatedBucket.ts';

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

const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER };
const AT = Date.parse('2026-11-02T00:10:00.500Z');

/** Aggregates a month in several parts and stores them, as an export with several partitions does. */
const gather = async (
  records: readonly Attribution[],
  hours: readonly NodeHourLine[],
  plan: OutputPlan,
  cohorts: RecordCohorts,
  parts: number,
  database: Database,
  work: WorkStore,
) => {
  const stored: StoredLines[] = [];
  const summaries: Summary[] = [];
  for (let part = 0; part < parts; part += 1) {
    const table = await createLineTable(database);
    const aggregator = new Aggregator(plan.grain, plan.admission, cohorts, table.add);
    for (const [index, record] of records.entries()) if (index % parts === part) aggregator.add(record, AT);
    if (part === parts - 1) aggregator.addIdle(hours);
    table.end();
    stored.push(await storeLines(database, work, `part-${part}`));
    const summary = JSON.stringify(StoredSummary.encode(aggregator.summary()));
    summaries.push(StoredSummary.parse(JSON.parse(summary)));
  }
  return { summary: mergeSummaries(summaries), stored: stored.filter(({ days }) => days.length > 0) };
};

interface Options {
  readonly lane?: string | null;
  readonly parts?: number;
  /** The hours of own nodes. */
  readonly hours?: readonly NodeHourLine[];
}

const exportWith = async (
  database: Database,
  records: readonly Attribution[],
  members: Record<string, unknown>,
  { lane = null, parts = 2, hours = [] }: Options,
): Promise<InMemoryExport> => {
  const request = aRequest(members);
  const tenant = { tenant_id: 'acme', name: 'Acme' };
  const plan = buildOutputPlan(request, { tenant, lane, issuer: 'Acme AI Platform' });
  const keys = objectKeys('acme', 'exp_1');
  const { from, to } = exportPeriodOf(request);
  const totals: RowTotals[] = [];
  const contents = new Map<string, Buffer>();
  const files: ExportFile[] = [];
  const folded = { groups: 0, cost: 0n };
  const rollups = rollupsOfRecords(records);
  const summaries = [];
  const byMonth = Map.groupBy(records, ({ record }) => monthOf(Date.parse(record.occurred_at)));
  for (const month of monthsBetween(from, to - 1)) {
    const inMonth = { from: Math.max(from, startOfMonth(month)), to: Math.min(to, startOfNextMonth(month)) };
    const cohorts = recordCohorts(await shownCohortsOf(rollups, inMonth, lane), TAGS, null);
    const exported = (byMonth.get(month) ?? []).filter(({ record }) => {
      const at = Date.parse(record.occurred_at);
      return from <= at && at < to;
    });
    const { work } = simulatedBuckets();
    const { summary, stored } = await gather(
      exported,
      hours.filter(({ hour }) => inMonth.from <= Date.parse(hour) && Date.parse(hour) < inMonth.to),
      ...([plan, cohorts, parts, database, work] as const),
    );
    await loadLines(
      database,
      work,
      stored.map(({ key }) => key),
      ALWAYS,
      plan.texts,
    );
    const monthTotals = await readRowTotals(database);
    totals.push(monthTotals);
    const written = await writeFiles(database, plan, monthTotals.rows, async (part, path) => {
      contents.set(keys.file(month, part, request.file_format), readFileSync(path));
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
    periods: [],
    totals: mergeTotals(totals),
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

/** Creates an export in memory with the functions of the service. */
export const exportInMemory = (
  records: readonly Attribution[],
  members: Record<string, unknown> = {},
  options: Options = {},
): Promise<InMemoryExport> => withDatabase((database) => exportWith(database, records, members, options));

/** The concatenated text of all files. */
export const fileTextOf = ({ contents }: InMemoryExport): string =>
  [...contents.values()].map((content) => content.toString('utf8')).join('');
