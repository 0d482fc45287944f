import { DELIVERY_DAYS_MAXIMUM, type DeliveryError } from '../../../../schemas/chargeback/deliveryTarget.ts';
import type { ExportDelivery, StoredDelivery } from '../../../../schemas/chargeback/exportDelivery.ts';
import type { StoredExport } from '../../../../schemas/chargeback/exports.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import { RETRY_AFTER_MAXIMUM_MS } from '../../../platform/egress/retryAfter.ts';
import { isHeld } from '../../../platform/shared/time/lease.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { Assigned } from './dataset.ts';

/** The pause after the first failure. It doubles with each, up to a maximum that a customer who has corrected a role waits. */
const BACKOFF_MS = MINUTE_MS;
const BACKOFF_MAXIMUM_MS = HOUR_MS;
/** Errors that pass by themselves. They are told from the fifth attempt on. */
const PASSING: ReadonlySet<DeliveryError> = new Set(['rate_limited', 'unavailable']);
const PASSING_ATTEMPTS = 5;

/** The delivery of a finished export that begins at `at` (epoch milliseconds). Null for one without a destination. */
export const openDelivery = (
  { request }: Pick<StoredExport, 'request'>,
  at: number,
): StoredDelivery | null =>
  request.delivery === undefined
    ? null
    : {
        state: 'pending',
        opened_at: at,
        attempts: 0,
        due_at: at,
        last_error: null,
        version: null,
        supersedes: null,
        location: null,
        ended_at: null,
        is_failure_told: false,
      };

/** The delivery while an attempt runs, with its version. If the attempt stops without an end, the next begins at `due`. */
export const beginAttempt = (
  delivery: StoredDelivery,
  { version, supersedes }: Pick<Assigned, 'version' | 'supersedes'>,
  { location, due }: { readonly location: string; readonly due: number },
): StoredDelivery => ({
  ...delivery,
  attempts: delivery.attempts + 1,
  due_at: due,
  version,
  supersedes,
  location,
});

/** The ended delivery. */
export const endDelivery = (
  delivery: StoredDelivery,
  end:
    | { readonly state: 'delivered' | 'superseded' }
    | { readonly state: 'failed'; readonly last_error: DeliveryError },
  at: number,
): StoredDelivery => ({
  ...delivery,
  last_error: null,
  ...end,
  ended_at: at,
  ...(end.state === 'failed' && { is_failure_told: true }),
});

/** The delivery whose files are not all put, because an attempt had no time left. It goes on at once. */
export const continueDelivery = (delivery: StoredDelivery, now: number): StoredDelivery => ({
  ...delivery,
  due_at: now,
  last_error: null,
});

/** Whether an open delivery is due at `now` (epoch milliseconds). No pause is longer than a bucket may ask for. */
export const isDue = ({ due_at }: Pick<StoredDelivery, 'due_at'>, now: number): boolean =>
  !isHeld({ until: due_at }, RETRY_AFTER_MAXIMUM_MS, now);

/** When a delivery that begins at `opened_at` is given up. Epoch milliseconds. */
export const deliveryEnd = ({ opened_at }: Pick<StoredDelivery, 'opened_at'>): number =>
  opened_at + DELIVERY_DAYS_MAXIMUM * DAY_MS;

/**
 * The delivery of an export after an attempt that failed at `now` (epoch milliseconds). `wait` is how long S3 asks to wait, in
 * milliseconds.
 */
export const afterFailure = (
  delivery: StoredDelivery,
  { error, wait }: { readonly error: DeliveryError; readonly wait: number },
  now: number,
): StoredDelivery => {
  if (error === 'destination_deleted' || now >= deliveryEnd(delivery)) {
    return endDelivery(delivery, { state: 'failed', last_error: error }, now);
  }
  const backoff = Math.min(BACKOFF_MAXIMUM_MS, BACKOFF_MS * 2 ** Math.min(10, delivery.attempts - 1));
  const isTold = !PASSING.has(error) || delivery.attempts >= PASSING_ATTEMPTS;
  return {
    ...delivery,
    last_error: error,
    due_at: now + Math.max(wait, backoff),
    is_failure_told: delivery.is_failure_told || isTold,
  };
};

/** A delivery before its export has finished, or of one that never will. */
const unopened = ({ status }: Pick<StoredExport, 'status'>) =>
  ({
    state: status === 'queued' || status === 'running' ? 'waiting' : 'cancelled',
    attempts: 0,
    last_error: null,
    version: null,
    supersedes: null,
    next_attempt_at: null,
    delivered_at: null,
    location: null,
  }) as const;

/** The API representation of the delivery of an export. Null for one without a destination. */
export const toDelivery = ({ request, status, delivery }: StoredExport): ExportDelivery | null => {
  if (request.delivery === undefined) return null;
  if (delivery === null) return { ...request.delivery, ...unopened({ status }) };
  const { due_at, ended_at, opened_at: _opened, is_failure_told: _told, ...shown } = delivery;
  return {
    ...request.delivery,
    ...shown,
    next_attempt_at: shown.state === 'pending' ? toIso(due_at) : null,
    delivered_at: shown.state === 'delivered' && ended_at !== null ? toIso(ended_at) : null,
  };
};
