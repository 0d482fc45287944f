import * as z from 'zod';
import { StoredExport } from '../../../../schemas/chargeback/exports.ts';
import { DAY_SECONDS } from '../../../../schemas/durations.ts';
import {
  type DocumentRange,
  listReadable,
  type Revision,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../../platform/shared/aws/document.store.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { type OpenPage, openList } from '../openList.store.ts';
import { isOpen } from './job.ts';

/** Retention of export records. Longer than the retention of their files. */
const RETENTION_SECONDS = 90 * DAY_SECONDS;

/** Key of an export. */
export const ExportRef = z.object({ tenant_id: z.string(), job_id: z.string() });
export type ExportRef = z.infer<typeof ExportRef>;

const partitionOf = (tenantId: string): string => `job#${tenantId}`;
const exportKey = ({ tenant_id, job_id }: ExportRef) => ({
  pk: partitionOf(tenant_id),
  sk: ulidInId(job_id),
});

/** An open delivery, and when its next attempt is due (epoch milliseconds). */
const DueDelivery = ExportRef.extend({ due_at: z.int() });
export type DueDelivery = z.infer<typeof DueDelivery>;

const listed = ({ tenant_id, job_id }: ExportRef) => ({ tenant_id, id: job_id });
/** The queued and running exports. */
const openExports = (table: string) => openList(table, 'open', ExportRef, listed);
/** The deliveries that have not ended. */
const openDeliveries = (table: string) => openList(table, 'deliveries', DueDelivery, listed);

export interface ExportReader {
  readonly read: (tenantId: string, ulid: string) => Promise<StoredExport | null>;
  /** Sorted by creation time. */
  readonly list: (tenantId: string, range: DocumentRange) => Promise<StoredExport[]>;
}

export const exportReader = (table: string): ExportReader => ({
  read: (tenantId, ulid) => readDocument(table, { pk: partitionOf(tenantId), sk: ulid }, StoredExport),
  list: (tenantId, range) => listReadable(table, partitionOf(tenantId), range, StoredExport),
});

export interface ExportStore {
  readonly find: (name: ExportRef) => Promise<Versioned<StoredExport> | null>;
  /** The writes that create an export. They fail when the id exists. */
  readonly open: (job: StoredExport, by: Revision) => readonly Write[];
  /** The writes that change an export. They fail when it no longer has the expected revision. */
  readonly change: (job: StoredExport, expectedRevision: Revision, by: Revision) => readonly Write[];
}

export interface ExportWatchStore extends ExportStore {
  /** Queued and running exports of all tenants, oldest first. */
  readonly unfinished: (after: string | null) => Promise<OpenPage<ExportRef>>;
}

export interface DeliveryStore extends Pick<ExportStore, 'find' | 'change'> {
  /** The open deliveries of all tenants. */
  readonly open: (after: string | null) => Promise<OpenPage<DueDelivery>>;
  /** The write that forgets the delivery of an export that no longer exists. */
  readonly forget: (name: ExportRef) => Write;
}

export const exportStore = (table: string): ExportStore => {
  const [unfinished, deliveries] = [openExports(table), openDeliveries(table)];
  const deliveryWrites = ({ delivery, tenant_id, job_id }: StoredExport): Write[] => {
    if (delivery === null) return [];
    return delivery.state === 'pending'
      ? [deliveries.put({ tenant_id, job_id, due_at: delivery.due_at })]
      : [deliveries.remove({ tenant_id, job_id })];
  };
  const put = (job: StoredExport, expectedRevision: Revision | null, by: Revision): Write =>
    writeDocument(table, exportKey(job), job, {
      expectedRevision,
      by,
      ttl: Math.ceil(Date.parse(job.created_at) / 1_000) + RETENTION_SECONDS,
    });
  const nameOf = ({ tenant_id, job_id }: StoredExport): ExportRef => ({ tenant_id, job_id });
  return {
    find: (name) => readVersioned(table, exportKey(name), StoredExport),
    open: (job, by) => [put(job, null, by), ...(isOpen(job) ? [unfinished.put(nameOf(job))] : [])],
    change: (job, expectedRevision, by) => [
      put(job, expectedRevision, by),
      ...(isOpen(job) ? [] : [unfinished.remove(job)]),
      ...deliveryWrites(job),
    ],
  };
};

export const exportWatchStore = (table: string): ExportWatchStore => ({
  ...exportStore(table),
  unfinished: openExports(table).page,
});

export const deliveryStore = (table: string): DeliveryStore => {
  const { find, change } = exportStore(table);
  const { page, remove } = openDeliveries(table);
  return { find, change, open: page, forget: remove };
};
