import type { DeliveryTarget } from '../../../../schemas/chargeback/deliveryTarget.ts';
import { MINUTE_MS } from '../../../../schemas/durations.ts';
import { commit, readVersioned, writeDocument } from '../../../platform/shared/aws/document.store.ts';
import { type HeldDocument, takeDocumentLease } from '../../../platform/shared/aws/documentLease.ts';
import type { Month } from '../../../platform/shared/time/month.ts';
import { Dataset, EMPTY_DATASET } from './dataset.ts';

/** Longer than a function runs, so that none can lose its lease while it still puts files. */
export const DATASET_LEASE_MS = 11 * MINUTE_MS;

/**
 * What a dataset is: a place, not a destination. A destination that is deleted and created again would count the versions
 * from 1 again, and write over files.
 */
export interface DatasetName extends Pick<DeliveryTarget, 'name'> {
  readonly tenant_id: string;
  /** Of the destination, as an S3 URI. */
  readonly location: string;
  readonly month: Month;
}

export interface DatasetStore {
  /** Takes the lease of a dataset at `now` (epoch milliseconds). Null while somebody has it. */
  readonly take: (name: DatasetName, now: number) => Promise<HeldDocument<Dataset> | null>;
}

export const datasetStore = (table: string, newClaim: () => string): DatasetStore => ({
  take: async ({ tenant_id, location, name, month }, now) => {
    const key = { pk: `dataset#${tenant_id}`, sk: `${location}#${name}#${month}` };
    if ((await readVersioned(table, key, Dataset)) === null) {
      // Somebody else may create it first.
      const by = { claim: newClaim(), attempt: 1 };
      await commit([writeDocument(table, key, EMPTY_DATASET, { expectedRevision: null, by })]);
    }
    return takeDocumentLease<Dataset>(
      {
        read: () => readVersioned(table, key, Dataset),
        replace: (dataset, expectedRevision, by) =>
          writeDocument(table, key, dataset, { expectedRevision, by }),
        leaseIn: ({ lease }) => lease,
        withLease: (dataset, lease) => ({ ...dataset, lease }),
        lifetime: DATASET_LEASE_MS,
        newClaim,
        subject: 'a dataset of deliveries',
      },
      now,
      (dataset) => dataset,
    );
  },
});
