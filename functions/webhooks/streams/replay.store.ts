import { RaisedEvent } from '../../../schemas/events.ts';
import { listDocuments, readDocument } from '../../shared/aws/document.store.ts';
import { idOf, ulidInId } from '../../shared/ids.ts';
import { timeOfUlid, ulidTime } from '../../shared/ulid.ts';

export interface ReplayReader {
  /** Null when there is no such event, or none any more. */
  readonly event: (tenantId: string, eventId: string) => Promise<RaisedEvent | null>;
  /** Events that were created from `from` on and before `to` (epoch milliseconds), the first `limit`, in that order. */
  readonly between: (
    tenant: { readonly tenant_id: string; readonly tag: string },
    stretch: { readonly from: number; readonly to: number; readonly limit: number },
  ) => Promise<RaisedEvent[]>;
}

/** Events read at once. */
const CHUNK = 200;

/** What was raised, as the outbox keeps it: under ids that sort as time does. */
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
