import { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { listReadable, readDocument } from '../shared/aws/document.store.ts';
import { idOf, ulidInId } from '../shared/ids.ts';
import type { Interval } from '../shared/time/interval.ts';
import { timeOfUlid, ulidTime } from '../shared/ulid.ts';
import { outboxKey, outboxPartitions } from './outbox.store.ts';

/** The period of a read: events created in [from, to) (epoch milliseconds), at most `limit` of them. */
export interface EventRange extends Interval {
  readonly limit: number;
}

export interface RaisedEventReader {
  /** Null when the event does not exist or has expired. */
  readonly event: (tenantId: string, eventId: string) => Promise<RaisedEvent | null>;
  /** The first events of a range, in order of creation. */
  readonly between: (
    tenant: { readonly tenant_id: string; readonly tag: string },
    range: EventRange,
  ) => Promise<RaisedEvent[]>;
}

/** Events per read. */
const CHUNK = 200;

/** Sorts events by creation: their ids contain ULIDs. */
export const inOrderOfCreation = (events: readonly RaisedEvent[]): RaisedEvent[] =>
  events.toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** Reads raised events from the outbox. */
export const raisedEventReader = (table: string): RaisedEventReader => {
  const ofPartition = async (
    partition: string,
    first: string,
    { to, limit }: EventRange,
  ): Promise<RaisedEvent[]> => {
    const found: RaisedEvent[] = [];
    let after = first;
    for (;;) {
      const size = Math.min(CHUNK, limit - found.length);
      const events = await listReadable(
        table,
        partition,
        { after, descending: false, limit: size },
        RaisedEvent,
      );
      const within = events.filter(({ id }) => timeOfUlid(ulidInId(id)) < to);
      found.push(...within);
      const last = events.at(-1);
      if (last === undefined || within.length < size || found.length === limit) return found;
      after = last.id;
    }
  };

  return {
    event: (tenantId, eventId) => readDocument(table, outboxKey(tenantId, eventId), RaisedEvent),
    between: async ({ tenant_id, tag }, range) => {
      const first = idOf('evt', tag, ulidTime(range.from));
      const found = await Promise.all(
        outboxPartitions(tenant_id).map((partition) => ofPartition(partition, first, range)),
      );
      return inOrderOfCreation(found.flat()).slice(0, range.limit);
    },
  };
};
