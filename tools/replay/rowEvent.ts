import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import type { Row } from './row.ts';

/** Event ids derived from the content of a file and the row number. They can be converted back to the row number. */
export interface RowIds {
  /** A version 8 UUID (RFC 9562): 74 bits of the SHA-256 of the content, then the row number in the last 48 bits. */
  readonly idOf: (row: number) => string;
  /** The row number of an id of this file. Undefined for any other id. */
  readonly rowOf: (eventId: string) => number | undefined;
}

/** `digest` is the SHA-256 of the file, in hexadecimal. */
export const rowIds = (digest: string): RowIds => {
  const variant = '89ab'.charAt(Number.parseInt(digest.charAt(15), 16) & 3);
  const prefix = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(12, 15)}-${variant}${digest.slice(16, 19)}-`;
  return {
    idOf: (row) => `${prefix}${row.toString(16).padStart(12, '0')}`,
    rowOf: (eventId) =>
      eventId.startsWith(prefix) ? Number.parseInt(eventId.slice(prefix.length), 16) : undefined,
  };
};

/** The event of a row. Only its times depend on `shift`, so a replay on another day sends the same event ids. */
export const eventOf = (row: Row, ids: RowIds, shift: number): InvocationEvent => ({
  event_id: row.ownId ?? ids.idOf(row.number),
  ...row.call,
  ingestion_timestamp: new Date(row.capturedAt + shift).toISOString(),
  occurred_at: new Date(row.at + shift).toISOString(),
});
