import type { DeliveryQuery } from '../../../schemas/routes/webhookDeliveries.ts';
import { DELIVERY_RETENTION_DAYS, type DeliveryAttempt } from '../../../schemas/webhooks.ts';
import { type Page, toPage } from '../../http/paging.ts';
import { ulidInId } from '../../shared/ids.ts';
import { timeOfUlid, ulidTime } from '../../shared/ulid.ts';
import type { DeliveryLogReader } from './deliveryLog.store.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** Attempts examined for each one asked for, at most: a filter must not make a page read the whole log. */
const EXAMINED_FACTOR = 4;
/** Sorts behind every ULID of the same millisecond. */
const LAST = '~';

const matching =
  (
    { outcome, response_status, event_type, event_id }: DeliveryQuery,
    isReadable: (eventType: string) => boolean,
  ) =>
  (attempt: DeliveryAttempt): boolean =>
    isReadable(attempt.event_type) &&
    (outcome === undefined || attempt.outcome === outcome) &&
    (response_status === undefined || attempt.response_status === Number(response_status)) &&
    (event_type === undefined || attempt.event_type === event_type) &&
    (event_id === undefined || attempt.event_id === event_id);

/** What is asked for of the time the log is kept, both ends included, in epoch milliseconds; several filters narrow it together. */
const periodOf = (query: DeliveryQuery, now: number) => {
  const at = (text: string | undefined, shift: number) =>
    text === undefined ? [] : [Date.parse(text) + shift];
  return {
    from: Math.max(
      now - DELIVERY_RETENTION_DAYS * DAY,
      ...at(query['attempted_at[gte]'], 0),
      ...at(query['attempted_at[gt]'], 1),
    ),
    to: Math.min(now, ...at(query['attempted_at[lte]'], 0), ...at(query['attempted_at[lt]'], -1)),
  };
};

export interface DeliveryPageQuery {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly query: DeliveryQuery;
  /** Whether attempts at events of this type are shown to the caller. */
  readonly isReadable: (eventType: string) => boolean;
  /** Where the last page ended: the ULID of an attempt. */
  readonly after: string | undefined;
  readonly limit: number;
  /** Epoch milliseconds; attempts after it are not shown, nor those the table only keeps because it forgets late. */
  readonly now: number;
}

/** Attempts in order of time that match, and where the walk goes on; reads are bounded by the page, whatever the filters. */
export const readDeliveryPage = async (
  log: DeliveryLogReader,
  { tenantId, endpointId, query, isReadable, after, limit, now }: DeliveryPageQuery,
): Promise<Page<DeliveryAttempt>> => {
  const { from, to } = periodOf(query, now);
  if (from > to) return { items: [], resume: null };
  const descending = query.sort !== 'attempted_at';
  const matches = matching(query, isReadable);
  // One more than asked for tells whether the log goes on.
  const wanted = limit + 1;
  const found: DeliveryAttempt[] = [];
  let position = after ?? (descending ? ulidTime(to) + LAST : ulidTime(from));
  for (let examined = 0; examined < EXAMINED_FACTOR * wanted; examined += wanted) {
    const attempts = await log.attempts(tenantId, endpointId, { after: position, descending, limit: wanted });
    for (const attempt of attempts) {
      position = ulidInId(attempt.id);
      const time = timeOfUlid(position);
      if (time < from || time > to) return toPage(found, limit, ({ id }) => ulidInId(id));
      if (matches(attempt)) found.push(attempt);
      if (found.length === wanted) return toPage(found, limit, ({ id }) => ulidInId(id));
    }
    if (attempts.length < wanted) return toPage(found, limit, ({ id }) => ulidInId(id));
  }
  return { items: found, resume: position };
};
