import type { EventType, RaisedEvent } from '../../../../schemas/delivery/events.ts';
import type { VersionEventReader } from '../../../ledger/records/raised/raisedVersions.store.ts';
import type { EventRange } from '../../../platform/outbox/raisedEvents.store.ts';
import { inOrderOfCreation, type RaisedEventReader } from '../../../platform/outbox/raisedEvents.store.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { type EventPage, type EventPageRange, readEventPage } from './eventPage.ts';

/** The only type whose events are not in the outbox: they follow from versions in the ledger. */
const OF_VERSIONS: EventType = 'attribution.materialized';

export interface ReplayReader {
  /** Null when the event does not exist or has expired. */
  readonly event: (tenantId: string, eventId: string) => Promise<RaisedEvent | null>;
  /**
   * The events of these types created in [from, to) (epoch milliseconds), in order of creation. Null when there are more
   * than `limit`, or so many others that it stopped reading: of other types, or listed and never written.
   */
  readonly between: (
    tenant: { readonly tenant_id: string; readonly tag: string },
    range: EventRange & { readonly types: readonly string[] },
  ) => Promise<RaisedEvent[] | null>;
  /** One page of the events of these types, in order of creation. It may be empty although more follow. */
  readonly page: (
    tenant: { readonly tenant_id: string; readonly tag: string },
    range: EventPageRange,
  ) => Promise<EventPage>;
}

/** The most events of the outbox, and listed versions, that are read for one event of the requested types. */
const EXAMINED_PER_EVENT = 4;

/** Reads the events of a tenant from where they are kept: the outbox, or the ledger for versions of records. */
export const replayReader = (
  outbox: RaisedEventReader,
  versions: Pick<VersionEventReader, 'event' | 'between'>,
): ReplayReader => ({
  event: async (tenantId, eventId) =>
    (await outbox.event(tenantId, eventId)) ?? (await versions.event(tenantId, ulidInId(eventId))),
  between: async (tenant, { from, to, types, limit }) => {
    const maximum = EXAMINED_PER_EVENT * limit;
    const [examined, ofVersions] = await Promise.all([
      outbox.between(tenant, { from, to, limit: maximum + 1 }),
      types.includes(OF_VERSIONS)
        ? versions.between(tenant.tenant_id, { from, to, limit: maximum })
        : Promise.resolve([]),
    ]);
    if (ofVersions === null || examined.length > maximum) return null;
    const events = [...examined.filter(({ type }) => types.includes(type)), ...ofVersions];
    return events.length > limit ? null : inOrderOfCreation(events);
  },
  page: (tenant, range) =>
    readEventPage(range, {
      ofOutbox: (window) => outbox.between(tenant, window),
      ofVersions: async (window) =>
        range.types.includes(OF_VERSIONS) ? versions.between(tenant.tenant_id, window) : [],
    }),
});
