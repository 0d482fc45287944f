import type { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import type { InvocationAccepted } from '../../../schemas/routes/ingest/events.ts';
import { idOf, invocationUlid } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { findDroppedMembers } from './droppedLabels.ts';
import { type EnqueueStores, enqueueEvents } from './enqueueEvents.ts';
import { validateEventTimes } from './eventTimes.ts';

/** Queues one event. `rawBody` is the event as it was sent. Throws VALIDATION_FAILED for times that are out of range. */
export const receiveEvent = async (
  stores: EnqueueStores,
  {
    event,
    rawBody,
    caller,
    receivedAt,
  }: {
    readonly event: InvocationEvent;
    readonly rawBody: unknown;
    readonly caller: Caller;
    readonly receivedAt: number;
  },
): Promise<InvocationAccepted> => {
  const errors = validateEventTimes(event, receivedAt);
  if (errors.length > 0) {
    throw new ProblemError('VALIDATION_FAILED', 'The event times are outside the accepted range.', {
      errors,
    });
  }
  const { tenant_id: tenantId, tag } = caller.tenant;
  const dropped = findDroppedMembers(rawBody);
  await enqueueEvents(stores, {
    caller,
    receivedAt,
    events: [JSON.stringify(event)],
    droppedMembers: dropped.scrubbed.length,
  });
  return {
    event_id: event.event_id,
    invocation_id: idOf('inv', tag, invocationUlid(tenantId, event.event_id)),
    status: 'queued',
    ...dropped,
  };
};
