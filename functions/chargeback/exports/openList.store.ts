import type * as z from 'zod';
import {
  deleteDocument,
  listReadable,
  putDocument,
  type Write,
} from '../../platform/shared/aws/document.store.ts';
import { ulidInId } from '../../platform/shared/ids.ts';

/** Entries in one page. */
const PAGE_ENTRIES = 100;

/** A page of a list. `next` is the `after` of the next one. */
export interface OpenPage<Entry> {
  readonly items: Entry[];
  readonly next: string | null;
}

/**
 * What is open for all tenants, oldest first. It is in one partition, because there is little of it, and a worker finds all of it
 * in one query. `refOf` names the tenant and the id of an entry.
 */
export const openList = <Ref, Entry extends Ref>(
  table: string,
  partition: string,
  shape: z.ZodType<Entry>,
  refOf: (ref: Ref) => { readonly tenant_id: string; readonly id: string },
) => {
  const keyOf = (ref: Ref) => {
    const { tenant_id, id } = refOf(ref);
    return { pk: partition, sk: `${ulidInId(id)}#${tenant_id}` };
  };
  return {
    /** Adds an entry, or replaces it. */
    put: (entry: Entry & object): Write => putDocument(table, keyOf(entry), entry),
    remove: (ref: Ref): Write => deleteDocument(table, keyOf(ref)),
    page: async (after: string | null): Promise<OpenPage<Entry>> => {
      const range = { after: after ?? undefined, descending: false, limit: PAGE_ENTRIES };
      const items = await listReadable(table, partition, range, shape);
      const last = items.length < PAGE_ENTRIES ? undefined : items.at(-1);
      return { items, next: last === undefined ? null : keyOf(last).sk };
    },
  };
};
