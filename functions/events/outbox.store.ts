import type { RaisedEvent } from '../../schemas/events.ts';
import { putDocument, type Write } from '../shared/aws/document.store.ts';

/** Events are kept for 30 days, as long as they can be replayed. */
const RETENTION_SECONDS = 30 * 24 * 60 * 60;

export interface Outbox {
  /**
   * The write that raises an event. Commit it in one transaction with the change that causes the event (transactional
   * outbox). It is idempotent: a retry writes the same event.
   */
  readonly raise: (event: RaisedEvent) => Write;
}

export const outbox = (table: string): Outbox => ({
  raise: (event) =>
    putDocument(table, { pk: event.tenant_id, sk: event.id }, event, {
      ttl: Math.ceil(Date.parse(event.created_at) / 1_000) + RETENTION_SECONDS,
    }),
});
