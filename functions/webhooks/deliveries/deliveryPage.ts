import type { DeliveryQuery } from '../../../schemas/routes/webhookDeliveries.ts';
import { DELIVERY_RETENTION_DAYS, type DeliveryAttempt } from '../../../schemas/webhooks.ts';
import { type Page, toPage } from '../../http/paging.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { ulidInId } from '../../shared/ids.ts';
import { timeOfUlid, ulidTime } from '../../shared/ulid.ts';
import type { DeliveryLogReader } from './deliveryLog.store.ts';

/** At most this many attempts are read for each one requested, so that a filter cannot make a page read the whole log. */
const EXAMINED_FACTOR = 4;
/** Sorts after every ULID of the same millisecond. */
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

/** The requested time range within the retention period, both ends included, in epoch milliseconds. Filters are combined. */
const periodOf = (query: DeliveryQuery, now: number) => {
  const at = (text: string | undefined, shift: number) =>
    text === undefined ? [] : [Date.parse(text) + shift];
  return {
    from: Math.max(
      now - DELIVERY_RETENTION_DAYS * DAY_MS,
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
  /** Whether the caller may see attempts at events of this type. */
  readonly isReadable: (eventType: string) => boolean;
  /** The ULID of the last attempt of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
  /** Epoch milliseconds. Later attempts are not shown. Neither are expired attempts that DynamoDB has not deleted yet. */
  readonly now: number;
}

/** A page of matching attempts in time order, and where the next page starts. Reads are bounded by the page size. */
export const readDeliveryPage = async (
  log: DeliveryLogReader,
  { tenantId, endpointId, query, isReadable, after, limit, now }: DeliveryPageQuery,
): Promise<Page<DeliveryAttempt>> => {
  const { from, to } = periodOf(query, now);
  if (from > to) return { items: [], resume: null };
  const descending = query.sort !== 'attempted_at';
  const matches = matching(query, isReadable);
  // One more than requested shows whether there is another page.
  const wanted = limit + 1;
  const matched: DeliveryAttempt[] = [];
  let position = after ?? (descending ? ulidTime(to) + LAST : ulidTime(from));
  for (let examined = 0; examined < EXAMINED_FACTOR * wanted; examined += wanted) {
    const attempts = await log.attempts(tenantId, endpointId, { after: position, descending, limit: wanted });
    for (const attempt of attempts) {
      position = ulidInId(attempt.id);
      const time = timeOfUlid(position);
      if (time < from || time > to) return toPage(matched, limit, ({ id }) => ulidInId(id));
      if (matches(attempt)) matched.push(attempt);
      if (matched.length === wanted) return toPage(matched, limit, ({ id }) => ulidInId(id));
    }
    if (attempts.length < wanted) return toPage(matched, limit, ({ id }) => ulidInId(id));
  }
  return { items: matched, resume: position };
};
