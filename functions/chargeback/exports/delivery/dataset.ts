import * as z from 'zod';
import { EarlierDelivery } from '../../../../schemas/chargeback/deliveryTarget.ts';
import type { StoredDelivery } from '../../../../schemas/chargeback/exportDelivery.ts';
import type { StoredExport } from '../../../../schemas/chargeback/exports.ts';
import { Lease } from '../../../../schemas/platform/lease.ts';

/** What was delivered under one name for one month at one place. Its lease is the right to put files there. */
export const Dataset = z.object({
  /** The newest export that got a version. */
  assigned: z
    .object({
      ...EarlierDelivery.shape,
      as_of: z.string(),
      supersedes: EarlierDelivery.nullable(),
      /** Files that are in the bucket, in the order of the manifest. */
      files_done: z.int(),
    })
    .nullable(),
  /** The version that the current manifest describes. */
  delivered: EarlierDelivery.nullable(),
  lease: Lease.nullable(),
});
export type Dataset = z.infer<typeof Dataset>;
export type Assigned = NonNullable<Dataset['assigned']>;

export const EMPTY_DATASET: Dataset = { assigned: null, delivered: null, lease: null };

/** Exports show the ledger as of an instant. The later one is newer, however long each took. */
const isNewer = (assigned: Assigned, { as_of, job_id }: Pick<StoredExport, 'as_of' | 'job_id'>): boolean =>
  assigned.as_of === as_of ? assigned.export_id > job_id : assigned.as_of > as_of;

/**
 * The version of an export: the next one, or the one that the export has. Null if a newer export has a version: its files
 * replace those of this export. A delivery that begins, also one that is requested again, puts all files.
 */
export const assignVersion = (
  { assigned, delivered }: Pick<Dataset, 'assigned' | 'delivered'>,
  job: Pick<StoredExport, 'as_of' | 'job_id'>,
  { attempts }: Pick<StoredDelivery, 'attempts'>,
): Assigned | null => {
  if (assigned?.export_id === job.job_id) return attempts === 0 ? { ...assigned, files_done: 0 } : assigned;
  if (assigned !== null && isNewer(assigned, job)) return null;
  return {
    version: (assigned?.version ?? 0) + 1,
    export_id: job.job_id,
    as_of: job.as_of,
    supersedes: delivered,
    files_done: 0,
  };
};
