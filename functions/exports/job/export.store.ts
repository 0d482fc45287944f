import * as z from 'zod';
import { StoredExport } from '../../../schemas/exports.ts';
import {
  type DocumentRange,
  deleteDocument,
  listDocuments,
  putDocument,
  type Revision,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../shared/aws/document.store.ts';
import { ulidInId } from '../../shared/ids.ts';
import { isOpen } from './job.ts';

/** How long an export is remembered, in seconds: longer than its files are kept. */
const RETENTION_SECONDS = 90 * 24 * 60 * 60;
/** Exports looked after at once; those behind them are looked after when these have ended. */
const OPEN_MAXIMUM = 1_000;

/** What names an export. */
export const ExportRef = z.object({ tenant_id: z.string(), job_id: z.string() });
export type ExportRef = z.infer<typeof ExportRef>;

const partitionOf = (tenantId: string): string => `job#${tenantId}`;
const exportKey = ({ tenant_id, job_id }: ExportRef) => ({
  pk: partitionOf(tenant_id),
  sk: ulidInId(job_id),
});
/** Those of all tenants side by side: there are few, and whoever looks after them misses none. */
const OPEN_PARTITION = 'open';
const openExportKey = ({ tenant_id, job_id }: ExportRef) => ({
  pk: OPEN_PARTITION,
  sk: `${ulidInId(job_id)}#${tenant_id}`,
});

export interface ExportReader {
  readonly read: (tenantId: string, ulid: string) => Promise<StoredExport | null>;
  /** In the order they were asked for. */
  readonly list: (tenantId: string, range: DocumentRange) => Promise<StoredExport[]>;
}

export const exportReader = (table: string): ExportReader => ({
  read: (tenantId, ulid) => readDocument(table, { pk: partitionOf(tenantId), sk: ulid }, StoredExport),
  list: (tenantId, range) => listDocuments(table, partitionOf(tenantId), range, StoredExport),
});

export interface ExportStore {
  readonly find: (name: ExportRef) => Promise<Versioned<StoredExport> | null>;
  /** The writes that make an export known; they fail when there is one of this id. */
  readonly open: (job: StoredExport, by: Revision) => readonly Write[];
  /** The writes of a change of what was seen. */
  readonly change: (job: StoredExport, seen: Revision, by: Revision) => readonly Write[];
}

export interface ExportWatchStore extends ExportStore {
  /** Exports of all tenants that have not come to an end, the oldest first. */
  readonly unfinished: () => Promise<ExportRef[]>;
}

export const exportStore = (table: string): ExportStore => {
  const put = (job: StoredExport, expectedRevision: Revision | null, by: Revision): Write =>
    writeDocument(table, exportKey(job), job, {
      expectedRevision,
      by,
      ttl: Math.ceil(Date.parse(job.created_at) / 1_000) + RETENTION_SECONDS,
    });
  const nameOf = ({ tenant_id, job_id }: StoredExport): ExportRef => ({ tenant_id, job_id });
  return {
    find: (name) => readVersioned(table, exportKey(name), StoredExport),
    open: (job, by) => [put(job, null, by), putDocument(table, openExportKey(job), nameOf(job))],
    change: (job, expectedRevision, by) => [
      put(job, expectedRevision, by),
      ...(isOpen(job) ? [] : [deleteDocument(table, openExportKey(job))]),
    ],
  };
};

export const exportWatchStore = (table: string): ExportWatchStore => ({
  ...exportStore(table),
  unfinished: () =>
    listDocuments(table, OPEN_PARTITION, { descending: false, limit: OPEN_MAXIMUM }, ExportRef),
});
