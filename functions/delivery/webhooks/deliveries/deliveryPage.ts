import { DELIVERY_RETENTION_DAYS, type DeliveryAttempt } from '../../../../schemas/delivery/webhooks.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import type { DeliveryQuery } from '../../../../schemas/routes/delivery/webhookDeliveries.ts';
import { endOfList, readPartitionPage } from '../../../platform/http/pages/filteredPage.ts';
import type { Page } from '../../../platform/http/pages/paging.ts';
import { periodOf } from '../../../platform/http/periods.ts';
import type { DeliveryLogReader } from './deliveryLog.store.ts';

const matching =
  (
    { outcome, response_status, event_type, event_id }: DeliveryQuery,
    isReadable: (eventType: string) => boolean,
  ) =>
  (attempt: DeliveryAttempt): boolean =>
    isReadable(attempt.event_type) &&
    (outcome === undefined || attempt.outcome === outcome) &&
    (response_status === undefined || attempt.response_status === response_status) &&
    (event_type === undefined || attempt.event_type === event_type) &&
    (event_id === undefined || attempt.event_id === event_id);

export interface DeliveryPageQuery {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly query: DeliveryQuery;
  /** Whether the caller may see attempts at events of this type. */
  readonly isReadable: (eventType: string) => boolean;
  /** The ULID of the last attempt of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
  /** Epoch milliseconds. Expired attempts that DynamoDB has not deleted yet are not shown. */
  readonly now: number;
}

/** A page of matching attempts of the retention period in time order. */
export const readDeliveryPage = (
  log: DeliveryLogReader,
  { tenantId, endpointId, query, isReadable, after, limit, now }: DeliveryPageQuery,
): Promise<Page<DeliveryAttempt>> => {
  const { from, to } = periodOf(query, 'attempted_at');
  const descending = query.sort !== 'attempted_at';
  const matches = matching(query, isReadable);
  return readPartitionPage((range) => log.attempts(tenantId, endpointId, range), {
    from: Math.max(now - DELIVERY_RETENTION_DAYS * DAY_MS, from),
    to: Math.min(endOfList(now), to - 1),
    descending,
    after,
    limit,
    matches,
  });
};
