import * as z from 'zod';
import {
  type Count,
  type CountedCollection,
  countedCollection,
  headWithCount,
} from '../../../platform/shared/aws/countedCollection.store.ts';
import type { DocumentRange, Revision, Write } from '../../../platform/shared/aws/document.store.ts';
import { openList } from '../openList.store.ts';
import { StoredDestination } from './destination.ts';

const CheckRef = z.object({ tenant_id: z.string(), id: z.string() });
export type CheckRef = z.infer<typeof CheckRef>;

/** The destinations that are to be checked. */
const requestedChecks = (table: string) => openList(table, 'checks', CheckRef, (ref: CheckRef) => ref);

const checkWrites = (table: string, ref: CheckRef, next: StoredDestination | null): Write[] => {
  const { put, remove } = requestedChecks(table);
  if (next === null) return [remove(ref)];
  return next.check.state === 'checking' ? [put(ref)] : [];
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
  /** The oldest requested checks of all tenants, for one round. */
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
  const { put, versioned } = destinationStore(table);
  const { page, remove: forget } = requestedChecks(table);
  return {
    versioned,
    requested: async () => (await page(null)).items,
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
