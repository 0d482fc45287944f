import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Client,
  createFocusExport,
  type ExportJobWithFiles,
  type ExportRequest,
} from '../../../typescript/src/index.ts';
import type { Call, Command } from '../command.ts';
import { valuesOf } from '../contract.ts';
import { download, downloadVerified, readManifest } from '../download.ts';
import { CommandFailed, UsageError } from '../faults.ts';
import { note, type Terminal, writeJson, writeLine } from '../terminal.ts';
import { shown } from '../text.ts';
import { waitForJob } from '../waitForJob.ts';

/** Waits for an export. Throws for a job that makes no files. */
const waitForExport = async (
  client: Client,
  jobId: string,
  terminal: Terminal,
): Promise<ExportJobWithFiles> => {
  const job = await waitForJob(client, jobId, terminal);
  if (job.type !== 'focus_export') throw new CommandFailed(`${jobId} is no export.`);
  return job;
};

/** Downloads files, and compares each with the size and the digest in the manifest. Returns their paths. */
const saveFiles = async (
  job: ExportJobWithFiles,
  folder: string,
  { signal }: Terminal,
): Promise<string[]> => {
  const { result_urls: urls = [], manifest_url, metadata_url } = job;
  if (manifest_url === undefined || metadata_url === undefined)
    throw new CommandFailed(`The export ${job.job_id} has no files.`);
  mkdirSync(folder, { recursive: true });
  const manifestText = await download(manifest_url, join(folder, 'manifest.json'), signal);
  const files = readManifest(manifestText);
  if (files.length !== urls.length)
    throw new CommandFailed(`The manifest lists ${files.length} files, but the export has ${urls.length}.`);
  const saved = [join(folder, 'manifest.json'), join(folder, 'focus-metadata.json')];
  await download(metadata_url, join(folder, 'focus-metadata.json'), signal);
  for (const [index, url] of urls.entries()) {
    const expected = files[index];
    if (expected === undefined) continue;
    // The service names no files, only the objects of the URLs: `BILLING_PERIOD=2026-11/part-00001.csv.gz`.
    const name = decodeURIComponent(new URL(url).pathname)
      .split('/')
      .slice(-2)
      .join('_')
      .replace(/[^\w.=-]/g, '_');
    const path = join(folder, name);
    await downloadVerified(url, path, expected, signal);
    saved.push(path);
  }
  return saved;
};

const list = <Value extends string>(text: string | undefined, known: readonly Value[], name: string) => {
  if (text === undefined) return undefined;
  return text.split(',').map((part) => {
    const value = known.find((each) => each === part);
    if (value === undefined) throw new UsageError(`--${name} must be one of ${known.join(', ')}: ${part}`);
    return value;
  });
};

const one = <Value extends string>({ option }: Call, known: readonly Value[], name: string) =>
  list(option(name), known, name)?.[0];

type Given<Name extends keyof ExportRequest> = NonNullable<ExportRequest[Name]>;

const GROUPS = valuesOf<Given<'group_by'>[number]>({
  owner: true,
  service: true,
  provider: true,
  served_model: true,
  pathway_category: true,
  region: true,
});
const GRANULARITIES = valuesOf<Given<'granularity'>>({ record: true, hour: true, day: true, month: true });
const FORMATS = valuesOf<Given<'file_format'>>({ csv: true, 'csv.gz': true, parquet: true });
const MODES = valuesOf<Given<'cost_mode'>>({ chargeback: true, showback: true });
const IMPORTERS = valuesOf<Given<'importer'>>({ vantage: true, datadog: true, cloudzero: true });
const CONSUMERS = valuesOf<Given<'consumer'>>({ spreadsheet: true, program: true });
const VERSIONS = valuesOf<Given<'focus_version'>>({
  '1.2': true,
  '1.3': true,
  '1.4': true,
  '1.5-draft': true,
});

const deliveryOf = ({ option }: Call): ExportRequest['delivery'] => {
  const [destination_id, name] = [option('destination'), option('delivery-name')];
  if (destination_id === undefined && name === undefined) return undefined;
  if (destination_id === undefined || name === undefined)
    throw new UsageError('Give both --destination and --delivery-name.');
  return { destination_id, name };
};

const requestOf = (call: Call): ExportRequest => {
  const [from, to] = [call.option('from'), call.option('to')];
  if (from === undefined || to === undefined)
    throw new UsageError('Give --from and --to, or --job for an export that exists.');
  const group_by = list(call.option('group-by'), GROUPS, 'group-by');
  const [tags, columns] = [call.option('tags')?.split(','), call.option('columns')?.split(',')];
  const granularity = one(call, GRANULARITIES, 'granularity');
  const file_format = one(call, FORMATS, 'format');
  const cost_mode = one(call, MODES, 'cost-mode');
  const importer = one(call, IMPORTERS, 'importer');
  const consumer = one(call, CONSUMERS, 'consumer');
  const focus_version = one(call, VERSIONS, 'focus-version');
  const delivery = deliveryOf(call);
  return {
    format: 'focus',
    period: { from, to },
    ...(group_by && { group_by }),
    ...(tags && { tags }),
    ...(columns && { columns }),
    ...(granularity && { granularity }),
    ...(file_format && { file_format }),
    ...(cost_mode && { cost_mode }),
    ...(importer && { importer }),
    ...(consumer && { consumer }),
    ...(focus_version && { focus_version }),
    ...(delivery && { delivery }),
  };
};

export const exportFocus: Command = {
  name: 'export',
  summary: 'Make a FOCUS export, wait for it, download it and verify it',
  options: {
    from: { placeholder: 'DAY', help: 'First day, or instant, in ISO 8601' },
    to: { placeholder: 'DAY', help: 'End of the period, exclusive' },
    'group-by': { placeholder: 'FIELDS', help: 'Comma-separated', values: GROUPS },
    tags: { placeholder: 'KEYS', help: 'Cost allocation tags to group by too, comma-separated' },
    columns: { placeholder: 'NAMES', help: 'Columns to deliver, comma-separated. Default: all' },
    granularity: { placeholder: 'UNIT', help: 'Time that one row covers', values: GRANULARITIES },
    format: { placeholder: 'FORMAT', help: 'Default: csv.gz', values: FORMATS },
    'cost-mode': { placeholder: 'MODE', help: 'Default: chargeback', values: MODES },
    importer: { placeholder: 'NAME', help: 'The columns that this product imports', values: IMPORTERS },
    consumer: { placeholder: 'NAME', help: 'Who reads the file. Default: spreadsheet', values: CONSUMERS },
    'focus-version': { placeholder: 'N', help: 'Version of FOCUS', values: VERSIONS },
    destination: { placeholder: 'ID', help: 'Also put the files into the bucket of this destination' },
    'delivery-name': { placeholder: 'NAME', help: 'Folder of the report at the destination' },
    job: { placeholder: 'ID', help: 'Do not start one: wait for this export and download it' },
    output: { placeholder: 'DIR', help: 'Folder of the files. Default: the id of the export' },
    'no-wait': { help: 'Only start the export and print its id' },
  },
  run: async (call) => {
    const { terminal, option, flag } = call;
    const existing = option('job');
    const request = existing === undefined ? requestOf(call) : undefined;
    const client = call.client();
    const started = request && (await createFocusExport(client, request, { signal: terminal.signal }));
    const jobId = started?.job_id ?? existing ?? '';
    if (started !== undefined && flag('no-wait'))
      return flag('json') ? writeJson(terminal, started) : writeLine(terminal, jobId);
    note(terminal, `Export ${jobId}. To continue later: attribution export --job ${jobId}`);
    const job = await waitForExport(client, jobId, terminal);
    if (job.status !== 'succeeded')
      throw new CommandFailed(
        `The export ${job.job_id} is ${job.status}${job.error === null ? '' : `: ${job.error.reason}. ${job.error.detail}`}`,
      );
    // A folder is named after the id that the service gave, so it must be no path.
    if (!/^job_\w+$/.test(job.job_id))
      throw new CommandFailed(`The export has no valid id: ${shown(job.job_id)}`);
    const files = await saveFiles(job, option('output') ?? job.job_id, terminal);
    if (flag('json')) return writeJson(terminal, { job, files });
    for (const file of files) await writeLine(terminal, file);
    const { result } = job;
    if (result === null) return;
    note(
      terminal,
      `Verified ${result.row_count} rows of ${result.records} records: ${shown(result.cost_usd)} USD. ` +
        `Left out: ${result.excluded_records} records, ${shown(result.excluded_cost_usd)} USD (see manifest.json).`,
    );
    if (result.stale) note(terminal, 'Calls from shortly before the export may be missing. Repeat it later.');
  },
};
