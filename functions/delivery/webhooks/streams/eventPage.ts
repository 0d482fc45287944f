import type { RaisedEvent } from '../../../../schemas/delivery/events.ts';
import { type EventRange, inOrderOfCreation } from '../../../platform/outbox/raisedEvents.store.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { timeOfUlid, ulidTime } from '../../../platform/shared/ulid.ts';

/** Events created in [from, to) (epoch milliseconds), after the position of the previous page. */
export interface EventPageRange extends Interval {
  readonly types: readonly string[];
  /** The ULID after which the page begins. */
  readonly after: string | undefined;
  readonly limit: number;
}

export interface EventPage {
  readonly items: readonly RaisedEvent[];
  /** The position of the next page; null on the last page. */
  readonly resume: string | null;
}

/** Where events are kept: the outbox reads the first ones of a range; versions are read completely, or null if too many. */
interface EventSources {
  readonly ofOutbox: (range: EventRange) => Promise<RaisedEvent[]>;
  readonly ofVersions: (range: EventRange) => Promise<RaisedEvent[] | null>;
}

/** A range with too many versions is divided by this. A month becomes shorter than a second in six steps. */
const DIVISOR = 16;

const timeOf = ({ id }: RaisedEvent): number => timeOfUlid(ulidInId(id));

/** The events of the outbox from `from` until `end`, which is before `to` if there are more than `limit`. */
const readOutbox = async ({ ofOutbox }: EventSources, { from, to, limit }: EventRange) => {
  const found = await ofOutbox({ from, to, limit: limit + 1 });
  const beyond = found[limit];
  if (beyond === undefined) return { events: found, end: to };
  const end = timeOf(beyond);
  if (end > from) return { events: found.filter((event) => timeOf(event) < end), end };
  // One millisecond has more than a page. It is read completely, because its events have no other order than their ids.
  const next = from + 1;
  return { events: await ofOutbox({ from, to: next, limit: Number.POSITIVE_INFINITY }), end: next };
};

const readVersions = async ({ ofVersions }: EventSources, { from, to, limit }: EventRange) => {
  for (let length = to - from; length > 1; length = Math.ceil(length / DIVISOR)) {
    const events = await ofVersions({ from, to: from + length, limit });
    if (events !== null) return { events, end: from + length };
  }
  const next = Math.min(from + 1, to);
  const events = await ofVersions({ from, to: next, limit: Number.POSITIVE_INFINITY });
  return { events: events ?? [], end: next };
};

/** Reads one page: the part of the range that both sources can return at once, cut to the limit. */
export const readEventPage = async (
  { from, to, types, after, limit }: EventPageRange,
  sources: EventSources,
): Promise<EventPage> => {
  const start = after === undefined ? from : timeOfUlid(after);
  const outbox = await readOutbox(sources, { from: start, to, limit });
  const versions = await readVersions(sources, { from: start, to: outbox.end, limit });
  const end = versions.end;
  const found = inOrderOfCreation([
    ...outbox.events.filter((event) => timeOf(event) < end && types.includes(event.type)),
    ...versions.events,
  ]).filter(({ id }) => after === undefined || ulidInId(id) > after);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  if (found.length > limit && last !== undefined) return { items, resume: ulidInId(last.id) };
  return { items, resume: end < to ? ulidTime(end) : null };
};
