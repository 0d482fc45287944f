import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { DAY_SECONDS } from '../../../schemas/durations.ts';
import { type DocumentKey, putDocument, type Write } from '../shared/aws/document.store.ts';
import { ulidInId } from '../shared/ids.ts';
import { shardOfUlid } from '../shared/ulid.ts';

/** Raised events are kept and can be replayed for 30 days. In seconds. */
export const EVENT_RETENTION_SECONDS = 30 * DAY_SECONDS;

/** Partitions of a tenant. A partition takes about 1,000 writes a second, and each shard of the stream has one reader. */
const SHARDS = 16;

/** The key of an event. It follows from the id of the event. */
export const outboxKey = (tenantId: string, eventId: string): Required<DocumentKey> => ({
  pk: `${tenantId}#${shardOfUlid(ulidInId(eventId), SHARDS)}`,
  sk: eventId,
});

/** The partition keys of a tenant's events. */
export const outboxPartitions = (tenantId: string): string[] =>
  Array.from({ length: SHARDS }, (_, shard) => `${tenantId}#${shard}`);

export interface Outbox {
  /**
   * The write that raises an event. Commit it in one transaction with the change that causes the event (transactional
   * outbox). It is idempotent: a retry writes the same event.
   */
  readonly raise: (event: RaisedEvent) => Write;
}

export const outbox = (table: string): Outbox => ({
  raise: (event) =>
    putDocument(table, outboxKey(event.tenant_id, event.id), event, {
      ttl: Math.ceil(Date.parse(event.created_at) / 1_000) + EVENT_RETENTION_SECONDS,
    }),
});
