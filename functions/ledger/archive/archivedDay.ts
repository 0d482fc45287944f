import * as z from 'zod';
import { DAY_MS } from '../../../schemas/durations.ts';
import { Total } from '../../../schemas/ledger/rollup.ts';
import { RETENTION_MILLISECONDS } from '../records/ledgerItem.ts';

/** A day in UTC, such as `2026-03-15`. Days sort chronologically as text. */
export type Day = string;

/** The start of a day in epoch milliseconds. */
export const startOfDay = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** Exact sums of a day. Quantities are those of the newest version of each record. */
export const ArchiveTotals = z.object({
  /** Versions of records: the rows of the files. */
  versions: z.int(),
  /** A digest of these versions. */
  digest: z.string(),
  records: z.int(),
  cost_usd: Total,
  energy_wh: Total,
  carbon_gco2e: Total,
  /** Records whose quantity is unknown. The sums do not include them. */
  cost_unknown: z.int(),
  energy_unknown: z.int(),
  carbon_unknown: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
});
export type ArchiveTotals = z.infer<typeof ArchiveTotals>;

export const ArchiveFile = z.object({
  key: z.string(),
  rows: z.int(),
  bytes: z.int(),
  /** The record ids in the file, by shard of the ledger. Rows are in the order of shard, id and version. */
  ids: z.array(z.object({ shard: z.int(), first: z.string(), last: z.string() })),
});
export type ArchiveFile = z.infer<typeof ArchiveFile>;

/** The files of a day with their sums. Its object is written once and never changed. */
export const ArchiveManifest = z.object({
  tenant_id: z.string(),
  day: z.string(),
  written_at: z.iso.datetime(),
  totals: ArchiveTotals,
  files: z.array(ArchiveFile),
});
export type ArchiveManifest = z.infer<typeof ArchiveManifest>;

/** A closed day in the directory. Readers use only the files of the manifest that it names. */
export const ArchivedDay = z.object({
  day: z.string(),
  manifest: z.string(),
  versions: z.int(),
  digest: z.string(),
});
export type ArchivedDay = z.infer<typeof ArchivedDay>;

/** Prefix of the Parquet files of a tenant, in the layout of Hive. */
export const recordsPrefix = (tenantId: string, day?: Day): string =>
  `records/tenant=${tenantId}/${day === undefined ? '' : `day=${day}/`}`;
/** Prefix of the manifests of files that are not proven yet. */
export const draftsPrefix = (tenantId: string, day?: Day): string =>
  `drafts/tenant=${tenantId}/${day === undefined ? '' : `day=${day}/`}`;
export const manifestsPrefix = (tenantId: string, day?: Day): string =>
  `manifests/tenant=${tenantId}/${day === undefined ? '' : `day=${day}/`}`;

export const parseManifest = (body: Uint8Array): ArchiveManifest =>
  ArchiveManifest.parse(JSON.parse(Buffer.from(body).toString('utf8')));

/** Epoch seconds after which a day is not in the directory any more. Its files expire by a lifecycle rule. */
export const expiryOfDay = (day: Day): number =>
  Math.ceil((startOfDay(day) + DAY_MS + RETENTION_MILLISECONDS) / 1_000);
