import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import type { Row } from './row.ts';

/** Event ids that follow from a file's content and the number of the row alone, and can be read back. */
export interface RowIds {
  /** UUID-shaped (RFC 9562, version 8): 74 bits of the content's SHA-256, then the row in the last 48. */
  readonly idOf: (row: number) => string;
  /** The row an id of this file belongs to; undefined for any other id. */
  readonly rowOf: (eventId: string) => number | undefined;
}

/** `digest` is the SHA-256 of the file, hexadecimal. */
export const rowIds = (digest: string): RowIds => {
  const variant = '89ab'.charAt(Number.parseInt(digest.charAt(15), 16) & 3);
  const prefix = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(12, 15)}-${variant}${digest.slice(16, 19)}-`;
  return {
    idOf: (row) => `${prefix}${row.toString(16).padStart(12, '0')}`,
    rowOf: (eventId) =>
      eventId.startsWith(prefix) ? Number.parseInt(eventId.slice(prefix.length), 16) : undefined,
  };
};

/** The event a row is sent as. Only its times depend on `shift`, so that a replay on another day repeats its events. */
export const eventOf = (row: Row, ids: RowIds, shift: number): InvocationEvent => ({
  event_id: row.ownId ?? ids.idOf(row.number),
  ...row.call,
  ingestion_timestamp: new Date(row.capturedAt + shift).toISOString(),
  occurred_at: new Date(row.at + shift).toISOString(),
});
