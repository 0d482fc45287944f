import type { StoredDelivery } from '../../../../schemas/chargeback/exportDelivery.ts';
import type { StoredExport } from '../../../../schemas/chargeback/exports.ts';
import type { RaisedEvent } from '../../../../schemas/delivery/events.ts';
import { createEvent } from '../../../platform/outbox/createEvent.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { tagInId } from '../../../platform/shared/ids.ts';
import { monthOf } from '../../../platform/shared/time/month.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { ulidOf } from '../../../platform/shared/ulid.ts';
import { statusUrlOf } from '../job/exportFinishedEvent.ts';

/**
 * The event of a change of a delivery at `at` (epoch milliseconds), with an id that follows from it. Null for a change that is
 * not told: a failure is told once, and again at the end.
 */
export const deliveryEvent = (
  job: StoredExport,
  before: StoredDelivery,
  after: StoredDelivery,
  { baseUrl, at }: { readonly baseUrl: string; readonly at: number },
): RaisedEvent | null => {
  const { tenant_id, job_id, residency, request } = job;
  if (request.delivery === undefined) return null;
  const cause = {
    ulid: ulidOf(at, sha256Of('export delivery', job_id, after.state)),
    at,
    tenant: { tenant_id, tag: tagInId(job_id) },
  };
  const data = {
    job_id,
    residency,
    ...request.delivery,
    billing_period: monthOf(Date.parse(request.period.from)),
    status_url: statusUrlOf(baseUrl, job),
  };
  const { state, version, location, supersedes, last_error: error, attempts, due_at } = after;
  if (state === 'delivered' && version !== null && location !== null) {
    const delivered = { ...data, version, supersedes, location, delivered_at: toIso(at) };
    return createEvent('export.delivered', delivered, cause);
  }
  const isNews = state === 'failed' || (after.is_failure_told && !before.is_failure_told);
  if (error === null || !isNews) return null;
  const next_attempt_at = state === 'failed' ? null : toIso(due_at);
  return createEvent('export.delivery.failed', { ...data, error, attempts, next_attempt_at }, cause);
};
