import * as z from 'zod';
import { NOTIFICATION_DAYS } from '../../../schemas/delivery/notifications.ts';
import { DAY_SECONDS } from '../../../schemas/durations.ts';
import {
  type Revision,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  writeDocument,
} from '../../platform/shared/aws/document.store.ts';

/** Up to which time a caller has read the notifications of its tenant. */
export const ReadMark = z.object({ until: z.iso.datetime() });
export type ReadMark = z.infer<typeof ReadMark>;

const keyOf = (tenantId: string, principal: string) => ({ pk: `read#${tenantId}`, sk: principal });

export interface ReadMarkReader {
  /** The mark of a caller. Null before its first one. */
  readonly readMark: (tenantId: string, principal: string) => Promise<ReadMark | null>;
}

export interface ReadMarkWriter {
  readonly current: (tenantId: string, principal: string) => Promise<Versioned<ReadMark> | null>;
  /** The write fails when another writer has moved the mark since `expected`. */
  readonly put: (
    tenantId: string,
    principal: string,
    mark: ReadMark,
    revisions: { readonly expected: Revision | null; readonly by: Revision },
  ) => Write;
}

export const readMarkReader = (table: string): ReadMarkReader => ({
  readMark: (tenantId, principal) => readDocument(table, keyOf(tenantId, principal), ReadMark),
});

export const readMarkWriter = (table: string): ReadMarkWriter => ({
  current: (tenantId, principal) => readVersioned(table, keyOf(tenantId, principal), ReadMark),
  // Not needed any longer than the last notification that it covers.
  put: (tenantId, principal, mark, { expected, by }) =>
    writeDocument(table, keyOf(tenantId, principal), mark, {
      expectedRevision: expected,
      by,
      ttl: Math.ceil(Date.parse(mark.until) / 1_000) + NOTIFICATION_DAYS * DAY_SECONDS,
    }),
});
