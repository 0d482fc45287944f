import type { ReportProgress } from '../../ledger/freshness/progress.ts';
import { measure } from '../../platform/shared/metrics.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { packMessages } from './acceptedMessage.ts';
import type { AcceptedQueue } from './acceptedQueue.aws.ts';

export interface EnqueueStores {
  readonly accepted: AcceptedQueue;
  readonly reportProgress: ReportProgress;
}

/** Validated events of one request, serialized, and the number of content members that were dropped from them. */
export interface EnqueueRequest {
  readonly caller: Pick<Caller, 'tenant' | 'residency'>;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly events: readonly string[];
  readonly droppedMembers: number;
}

/** Resolves when all events are in the durable queue. */
export const enqueueEvents = async (
  { accepted, reportProgress }: EnqueueStores,
  { caller: { tenant, residency }, receivedAt, events, droppedMembers }: EnqueueRequest,
): Promise<void> => {
  const arrival = { tenant_id: tenant.tenant_id, received_at: receivedAt, residency };
  const sent = accepted.send(tenant.tenant_id, packMessages(arrival, events, droppedMembers));
  const reported = events.length > 0 && reportProgress(tenant.tenant_id, 'accepted', receivedAt);
  await Promise.all([sent, reported]);
  measure('accepted', events.length);
};
