import * as z from 'zod';
import { StoredExport } from '../../../../schemas/chargeback/exports.ts';
import { DAY_SECONDS } from '../../../../schemas/durations.ts';
import {
  type DocumentRange,
  deleteDocument,
  listReadable,
  putDocument,
  type Revision,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../../platform/shared/aws/document.store.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { isOpen } from './job.ts';

/** Retention of export records. Longer than the retention of their files. */
const RETENTION_SECONDS = 90 * DAY_SECONDS;
/** Open exports in one page. */
const OPEN_MAXIMUM = 100;

/** Key of an export. */
export const ExportRef = z.object({ tenant_id: z.string(), job_id: z.string() });
export type ExportRef = z.infer<typeof ExportRef>;

const partitionOf = (tenantId: string): string => `job#${tenantId}`;
const exportKey = ({ tenant_id, job_id }: ExportRef) => ({
  pk: partitionOf(tenant_id),
  sk: ulidInId(job_id),
});
/** One partition for the open exports of all tenants. They are few, and the reaper finds all of them in one query. */
const OPEN_PARTITION = 'open';
const openExportKey = ({ tenant_id, job_id }: ExportRef) => ({
  pk: OPEN_PARTITION,
  sk: `${ulidInId(job_id)}#${tenant_id}`,
});

/** One partition for the open deliveries of all tenants, as for open exports. */
const DELIVERIES_PARTITION = 'deliveries';
/** Open deliveries in one page. */
const DELIVERIES_MAXIMUM = 100;
/** An open delivery, and when its next attempt is due (epoch milliseconds). */
const DueDelivery = ExportRef.extend({ due_at: z.int() });
export type DueDelivery = z.infer<typeof DueDelivery>;

const deliveryKey = ({ tenant_id, job_id }: ExportRef) => ({
  pk: DELIVERIES_PARTITION,
  sk: `${ulidInId(job_id)}#${tenant_id}`,
});

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
  /** Queued and running exports of all tenants, oldest first. `next` is the `after` of the next page. */
  readonly unfinished: (
    after: string | null,
  ) => Promise<{ readonly items: ExportRef[]; readonly next: string | null }>;
}

export interface DeliveryStore extends Pick<ExportStore, 'find' | 'change'> {
  /** The open deliveries of all tenants. `next` is the `after` of the next page. */
  readonly open: (
    after: string | null,
  ) => Promise<{ readonly items: DueDelivery[]; readonly next: string | null }>;
  /** The write that forgets the delivery of an export that no longer exists. */
  readonly forget: (name: ExportRef) => Write;
}

export const exportStore = (table: string): ExportStore => {
  const deliveryWrites = ({ delivery, tenant_id, job_id }: StoredExport): Write[] => {
    if (delivery === null) return [];
    const key = deliveryKey({ tenant_id, job_id });
    return delivery.state === 'pending'
      ? [putDocument(table, key, { tenant_id, job_id, due_at: delivery.due_at })]
      : [deleteDocument(table, key)];
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
    open: (job, by) => [
      put(job, null, by),
      ...(isOpen(job) ? [putDocument(table, openExportKey(job), nameOf(job))] : []),
    ],
    change: (job, expectedRevision, by) => [
      put(job, expectedRevision, by),
      ...(isOpen(job) ? [] : [deleteDocument(table, openExportKey(job))]),
      ...deliveryWrites(job),
    ],
  };
};

export const exportWatchStore = (table: string): ExportWatchStore => ({
  ...exportStore(table),
  unfinished: async (after) => {
    const range = { after: after ?? undefined, descending: false, limit: OPEN_MAXIMUM };
    const items = await listReadable(table, OPEN_PARTITION, range, ExportRef);
    const last = items.length < OPEN_MAXIMUM ? undefined : items.at(-1);
    return { items, next: last === undefined ? null : openExportKey(last).sk };
  },
});

export const deliveryStore = (table: string): DeliveryStore => {
  const { find, change } = exportStore(table);
  return {
    find,
    change,
    open: async (after) => {
      const range = { after: after ?? undefined, descending: false, limit: DELIVERIES_MAXIMUM };
      const items = await listReadable(table, DELIVERIES_PARTITION, range, DueDelivery);
      const last = items.length < DELIVERIES_MAXIMUM ? undefined : items.at(-1);
      return { items, next: last === undefined ? null : deliveryKey(last).sk };
    },
    forget: (name) => deleteDocument(table, deliveryKey(name)),
  };
};
