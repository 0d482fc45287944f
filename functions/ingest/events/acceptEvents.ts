import type { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import type { ReportProgress } from '../../ledger/freshness/progress.ts';
import { measure } from '../../platform/shared/metrics.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { packMessages } from './acceptedMessage.ts';
import type { AcceptedQueue } from './acceptedQueue.aws.ts';
import { type CheckedEvent, checkEvent, countDropped, foreignTenantErrors } from './checkEvent.ts';

export interface IntakeStores {
  readonly accepted: AcceptedQueue;
  readonly reportProgress: ReportProgress;
}

export interface Intake {
  readonly caller: Pick<Caller, 'tenant' | 'residency'>;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** Number of content members that were dropped from the events before. */
  readonly droppedMembers?: number;
  /** Token counts that made no event, by scope. */
  readonly unread?: ReadonlyMap<string, number>;
}

/** Resolves when all events are in the durable queue. The worker does not check them again. */
export const enqueueEvents = async (
  { accepted, reportProgress }: IntakeStores,
  events: readonly InvocationEvent[],
  { caller: { tenant, residency }, receivedAt, droppedMembers, unread = new Map() }: Intake,
): Promise<void> => {
  if (events.length === 0 && unread.size === 0) return;
  const bodies = packMessages(
    { tenant_id: tenant.tenant_id, received_at: receivedAt, residency },
    events.map((event) => JSON.stringify(event)),
    droppedMembers,
    unread,
  );
  await Promise.all([
    accepted.send(tenant.tenant_id, bodies),
    events.length > 0 && reportProgress(tenant.tenant_id, 'accepted', receivedAt),
  ]);
  measure('accepted', events.length);
};

/**
 * The one way in over HTTP. Each route brings its format into events, and takes its reply from what became of each: the valid
 * ones are in the durable queue, the others have their errors. The order is that of `sent`.
 */
export const acceptEvents = async (
  stores: IntakeStores,
  sent: readonly unknown[],
  intake: Intake,
): Promise<CheckedEvent[]> => {
  const { caller, receivedAt, droppedMembers = 0, unread } = intake;
  const checked = sent.map((one): CheckedEvent => {
    const errors = foreignTenantErrors(one, caller.tenant.tenant_id);
    return errors.length > 0 ? { sent: one, event: null, errors } : checkEvent(one, receivedAt);
  });
  await enqueueEvents(
    stores,
    checked.flatMap(({ event }) => event ?? []),
    {
      caller,
      receivedAt,
      droppedMembers: droppedMembers + countDropped(checked),
      ...(unread !== undefined && { unread }),
    },
  );
  return checked;
};
