import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { type Decimal, decimal, toDecimalString } from '../../functions/platform/shared/decimal.ts';
import { ExportManifest } from '../../schemas/chargeback/exportManifest.ts';
import { ExportJobWithFiles } from '../../schemas/chargeback/exports.ts';
import { getUsageReport } from '../../schemas/routes/insight/reports.ts';
import { call, listAllRecords } from './client.ts';

/** Who reads, and the period that contains all calls, in days: `from` is included, `to` excluded. */
export interface ViewRequest {
  readonly baseUrl: string;
  /** The key of an administrator. */
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

/** What one view says about the calls of a tenant. */
export interface View {
  readonly records: number;
  readonly cost_usd: string;
  readonly energy_wh: string;
  readonly carbon_gco2e: string;
}

const POLL_MS = 250;
const SORTS = ['-occurred_at', '-cost_usd', 'confidence'] as const;

type Row = Readonly<Record<string, unknown>>;

const sumOf = (rows: readonly Row[], field: string): string =>
  toDecimalString(
    rows.reduce<Decimal>((sum, row) => {
      const value = row[field];
      return value === null || value === undefined || value === '' ? sum : sum.plus(decimal(String(value)));
    }, decimal('0')),
  );

const viewOf = (rows: readonly Row[], records: number): View => ({
  records,
  cost_usd: sumOf(rows, 'cost_usd'),
  energy_wh: sumOf(rows, 'energy_wh'),
  carbon_gco2e: sumOf(rows, 'carbon_gco2e'),
});

/** All rows of a usage report and its totals. */
const readReport = async ({ baseUrl, key, from, to }: ViewRequest, query: string) => {
  const rows: Row[] = [];
  let cursor = '';
  for (;;) {
    const path = `/v1/reports/usage?from=${from}&to=${to}&limit=200${query}${cursor}`;
    const { data, totals, page } = getUsageReport.replies[200].body.parse(
      (await call(baseUrl, path, { key })).body,
    );
    rows.push(...data);
    if (page.next_cursor === null) return { rows, totals };
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
};

/** Exports all calls to FOCUS files. Resolves to the manifest and the rows of the files. Throws if the export fails. */
export const exportFocus = async ({ baseUrl, key, from, to }: ViewRequest) => {
  const body = { format: 'focus', period: { from, to }, granularity: 'hour' };
  const { headers, text } = await call(baseUrl, '/v1/exports/focus', { key, body });
  const location = headers.get('location');
  if (location === null) throw new Error(`the export was refused: ${text}`);
  for (;;) {
    const job = ExportJobWithFiles.parse((await call(baseUrl, location, { key })).body);
    if (job.status === 'succeeded') {
      const files = await Promise.all(
        (job.result_urls ?? []).map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())),
      );
      const rows = files.flatMap((file) =>
        parse<Record<string, string>>(gunzipSync(file).toString('utf8'), { columns: true }),
      );
      return { rows, manifest: ExportManifest.parse(await (await fetch(job.manifest_url ?? '')).json()) };
    }
    if (job.status !== 'queued' && job.status !== 'running') throw new Error(`the export is ${job.status}`);
    await sleep(POLL_MS);
  }
};

/**
 * The calls of a tenant as records in order of time, by cost and by confidence (the index), as totals and groups of the usage
 * report (rollups), and in a FOCUS export. All must be equal to the last digit.
 */
export const readViews = async (request: ViewRequest): Promise<Readonly<Record<string, View>>> => {
  const { baseUrl, key } = request;
  const views: Record<string, View> = {};
  for (const sort of SORTS) {
    const rows = await listAllRecords(baseUrl, key, `limit=200&sort=${sort}`);
    views[`records by ${sort}`] = viewOf(rows, new Set(rows.map(({ id }) => id)).size);
  }
  for (const query of ['', '&group_by=owner', '&interval=day']) {
    const { rows, totals } = await readReport(request, query);
    views[`report${query}`] = viewOf([totals], totals.invocations);
    views[`rows of report${query}`] = viewOf(rows, Number(sumOf(rows, 'invocations')));
  }
  const { rows, manifest } = await exportFocus(request);
  const ledger = viewOf([manifest.ledger], manifest.ledger.records);
  views['export'] = ledger;
  const excluded = manifest.excluded.map(({ cost_usd }) => ({ cost_usd }));
  const billed = rows.map((row) => ({ cost_usd: row['BilledCost'] }));
  views['files of the export'] = { ...ledger, cost_usd: sumOf([...billed, ...excluded], 'cost_usd') };
  return views;
};
