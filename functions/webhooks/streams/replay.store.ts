import { RaisedEvent } from '../../../schemas/events.ts';
import { listDocuments, readDocument } from '../../shared/aws/document.store.ts';
import { idOf, ulidInId } from '../../shared/ids.ts';
import { timeOfUlid, ulidTime } from '../../shared/ulid.ts';

export interface ReplayReader {
  /** Null when the event does not exist or has expired. */
  readonly event: (tenantId: string, eventId: string) => Promise<RaisedEvent | null>;
  /** The first `limit` events created in [from, to) (epoch milliseconds), in order of creation. */
  readonly between: (
    tenant: { readonly tenant_id: string; readonly tag: string },
    range: { readonly from: number; readonly to: number; readonly limit: number },
  ) => Promise<RaisedEvent[]>;
}

/** Events per read. */
const CHUNK = 200;

/** Reads raised events from the outbox. Event ids contain ULIDs, so they sort by time of creation. */
export const replayReader = (table: string): ReplayReader => ({
  event: (tenantId, eventId) => readDocument(table, { pk: tenantId, sk: eventId }, RaisedEvent),
  between: async ({ tenant_id, tag }, { from, to, limit }) => {
    const found: RaisedEvent[] = [];
    let after = idOf('evt', tag, ulidTime(from));
    for (;;) {
      const size = Math.min(CHUNK, limit - found.length);
      const range = { after, descending: false, limit: size };
      const events = await listDocuments(table, tenant_id, range, RaisedEvent);
      const within = events.filter(({ id }) => timeOfUlid(ulidInId(id)) < to);
      found.push(...within);
      const last = events.at(-1);
      if (last === undefined || within.length < size || found.length === limit) return found;
      after = last.id;
    }
  },
});
