import { exportRows } from '../../functions/exports/aggregation/exportRows.ts';
import { type Folding, foldingOf } from '../../functions/exports/aggregation/folding.ts';
import { Gathering, StoredSummary, uniteSummaries } from '../../functions/exports/aggregation/gathering.ts';
import { mergeRuns, type Source } from '../../functions/exports/aggregation/mergeRuns.ts';
import { readRun, runOf, writeLines } from '../../functions/exports/aggregation/runs.ts';
import { Totals } from '../../functions/exports/aggregation/totals.ts';
import { writeFiles } from '../../functions/exports/files/files.ts';
import { manifestOf } from '../../functions/exports/files/manifest.ts';
import { metadataOf } from '../../functions/exports/files/metadata.ts';
import { exportKeys } from '../../functions/exports/job/keys.ts';
import { exportPeriodOf } from '../../functions/exports/request/bounds.ts';
import { type ExportPlan, planOf } from '../../functions/exports/request/plan.ts';
import type { Attribution } from '../../functions/ledger/attribution.ts';
import { monthOf, monthsBetween } from '../../functions/shared/month.ts';
import {
  type ExportFile,
  type ExportManifest,
  ExportRequest,
  ExportManifest as ManifestSchema,
} from '../../schemas/focus.ts';

export const aRequest = (members: Record<string, unknown> = {}): ExportRequest =>
  ExportRequest.parse({
    format: 'focus',
    period: { from: '2026-09-01', to: '2026-11-01' },
    file_format: 'csv',
    ...members,
  });

export interface Exported {
  readonly plan: ExportPlan;
  readonly manifest: ExportManifest;
  readonly metadata: ReturnType<typeof metadataOf>;
  readonly contents: ReadonlyMap<string, Buffer>;
  readonly foldings: readonly Folding[];
}

const ALWAYS = { from: 0, to: Number.POSITIVE_INFINITY };
/** So few that most months are gathered in several runs. */
const LINES_MAXIMUM = 9;

const AT = Date.parse('2026-11-02T00:10:00.500Z');

/** Gathers a month in several parts that wait as text in between, as an export does that is cut short. */
const gather = (records: readonly Attribution[], plan: ExportPlan, parts: number) => {
  const gatherings = Array.from({ length: parts }, () => new Gathering(plan.grain, plan.admission));
  const sources: Source[] = [];
  const takeRun = (gathering: Gathering): void => {
    const lines = gathering.takeLines();
    if (lines.length === 0) return;
    const text = writeLines(lines);
    const run = runOf('run', text, lines);
    const read = async (from: number, to: number) => Buffer.from(text).subarray(from, to + 1);
    sources.push({ first: run.first, lines: () => readRun(run, ALWAYS, read) });
  };
  records.forEach((record, index) => {
    const gathering = gatherings[index % parts];
    gathering?.add(record);
    if (gathering !== undefined && gathering.size > LINES_MAXIMUM) takeRun(gathering);
  });
  const summary = uniteSummaries(
    gatherings.map((gathering) =>
      StoredSummary.parse(JSON.parse(JSON.stringify(StoredSummary.encode(gathering.summary())))),
    ),
  );
  for (const gathering of gatherings) takeRun(gathering);
  return { summary, lines: mergeRuns(sources) };
};

/** An export as the service makes it, in memory. */
export const exported = async (
  records: readonly Attribution[],
  members: Record<string, unknown> = {},
  {
    lane = null,
    split = false,
    parts = 2,
  }: { readonly lane?: string | null; readonly split?: boolean; readonly parts?: number } = {},
): Promise<Exported> => {
  const request = aRequest(members);
  const tenant = { tenant_id: 'acme', name: 'Acme' };
  const plan = planOf(request, { tenant, lane, split, issuer: 'Acme AI Platform' });
  const keys = exportKeys('acme', 'exp_1');
  const { from, to } = exportPeriodOf(request);
  const totals = new Totals();
  const contents = new Map<string, Buffer>();
  const files: ExportFile[] = [];
  const foldings: Folding[] = [];
  const summaries = [];
  const byMonth = Map.groupBy(records, ({ record }) => monthOf(Date.parse(record.occurred_at)));
  for (const month of monthsBetween(from, to - 1)) {
    const { summary, lines } = gather(byMonth.get(month) ?? [], plan, parts);
    const folding = foldingOf(summary.cohorts, plan.grain);
    const rows = exportRows(lines, folding, plan, totals);
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
    foldings.push(folding);
    summaries.push(summary);
  }
  const manifest = manifestOf({
    exportId: 'exp_1',
    request,
    plan,
    summary: uniteSummaries(summaries),
    foldings,
    totals,
    files,
    asOf: AT,
    createdAt: AT,
    finishedAt: AT,
  });
  const { mode, tenantId } = plan.biller;
  const metadata = metadataOf({
    tenantId,
    mode,
    lane,
    version: plan.version,
    columns: plan.columns,
    period: { from, to },
    asOf: AT,
    finishedAt: AT,
  });
  return { plan, manifest: ManifestSchema.parse(manifest), metadata, contents, foldings };
};

/** The text of all files, one after the other. */
export const textOf = ({ contents }: Exported): string =>
  [...contents.values()].map((content) => content.toString('utf8')).join('');
