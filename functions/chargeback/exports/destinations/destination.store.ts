import * as z from 'zod';
import {
  type Count,
  type CountedCollection,
  countedCollection,
  headWithCount,
} from '../../../platform/shared/aws/countedCollection.store.ts';
import {
  type DocumentRange,
  deleteDocument,
  listReadable,
  putDocument,
  type Revision,
  type Write,
} from '../../../platform/shared/aws/document.store.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { StoredDestination } from './destination.ts';

/** One partition for the requested checks of all tenants. They are few, and the worker finds all of them in one query. */
const CHECKS_PARTITION = 'checks';
/** Checks in one round. */
const CHECKS_MAXIMUM = 100;

const CheckRef = z.object({ tenant_id: z.string(), id: z.string() });
export type CheckRef = z.infer<typeof CheckRef>;

const checkKeyOf = ({ tenant_id, id }: CheckRef) => ({
  pk: CHECKS_PARTITION,
  sk: `${ulidInId(id)}#${tenant_id}`,
});

/** A destination that is to be checked is in the list of requested checks. */
const checkWrites = (table: string, ref: CheckRef, next: StoredDestination | null): Write[] => {
  if (next === null) return [deleteDocument(table, checkKeyOf(ref))];
  return next.check.state === 'checking' ? [putDocument(table, checkKeyOf(ref), ref)] : [];
};

export type DestinationStore = CountedCollection<StoredDestination, Count>;

export const destinationStore = (table: string): DestinationStore => {
  const collection = countedCollection(table, {
    prefix: 'destination',
    name: 'destinations',
    shape: StoredDestination,
    ...headWithCount,
  });
  return {
    ...collection,
    change: (tenant_id, lookup, next, by) => {
      const id = (next ?? lookup.current)?.id;
      const writes = collection.change(tenant_id, lookup, next, by);
      return id === undefined ? writes : [...writes, ...checkWrites(table, { tenant_id, id }, next)];
    },
  };
};

export interface CheckStore extends Pick<DestinationStore, 'versioned'> {
  /** The requested checks of all tenants. */
  readonly requested: () => Promise<CheckRef[]>;
  /** The writes that store the result of a check. They fail when the destination has changed since it was read. */
  readonly finish: (
    ref: CheckRef,
    checked: StoredDestination,
    expectedRevision: Revision,
    by: Revision,
  ) => readonly Write[];
  /** The write that forgets a check of a destination that was deleted. */
  readonly forget: (ref: CheckRef) => Write;
}

export const checkStore = (table: string): CheckStore => {
  const range: DocumentRange = { descending: false, limit: CHECKS_MAXIMUM };
  const { put, versioned } = destinationStore(table);
  const forget = (ref: CheckRef): Write => deleteDocument(table, checkKeyOf(ref));
  return {
    versioned,
    requested: () => listReadable(table, CHECKS_PARTITION, range, CheckRef),
    finish: (ref, checked, expectedRevision, by) => [
      put(ref.tenant_id, checked, expectedRevision, by),
      forget(ref),
    ],
    forget,
  };
};

export interface DestinationReader {
  /** In the order of creation. */
  readonly list: (tenantId: string, range: DocumentRange) => Promise<StoredDestination[]>;
  readonly read: DestinationStore['read'];
}

export const destinationReader = (table: string): DestinationReader => destinationStore(table);
