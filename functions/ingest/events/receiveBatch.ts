import type { FieldError } from '../../../schemas/problems.ts';
import type { BatchResult, InvocationBatchAccepted } from '../../../schemas/routes/ingest/events.ts';
import { idOf, invocationUlid } from '../../platform/shared/ids.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { checkEvent } from './checkEvent.ts';
import { findDroppedMembers } from './droppedLabels.ts';
import { type EnqueueStores, enqueueEvents } from './enqueueEvents.ts';

/** Most errors reported for one event, so that a batch of 1,000 stays within the Lambda response limit of 6 MB. */
const ERRORS_MAXIMUM = 10;

interface ValidatedEvent {
  readonly result: BatchResult;
  /** Serialised, for the queue; null when the event is rejected. */
  readonly event: string | null;
}

const memberOf = (sent: unknown, member: string): unknown =>
  typeof sent === 'object' && sent !== null ? Reflect.get(sent, member) : undefined;

const eventIdOf = (sent: unknown): string | null => {
  const value = memberOf(sent, 'event_id');
  return typeof value === 'string' ? value.slice(0, 128) : null;
};

const rejectEvent = (index: number, sent: unknown, errors: readonly FieldError[]): ValidatedEvent => ({
  event: null,
  result: {
    index,
    event_id: eventIdOf(sent),
    invocation_id: null,
    status: 'rejected',
    errors: errors.slice(0, ERRORS_MAXIMUM),
  },
});

const validateEvent = (sent: unknown, index: number, tenant: Tenant, now: number): ValidatedEvent => {
  const claimedTenant = memberOf(sent, 'tenant_id');
  if (claimedTenant !== undefined && claimedTenant !== tenant.tenant_id) {
    return rejectEvent(index, sent, [
      { pointer: '/tenant_id', detail: 'must be left out or equal the tenant of the credential' },
    ]);
  }
  const { event, errors } = checkEvent(sent, now);
  if (event === null) return rejectEvent(index, sent, errors);
  return {
    event: JSON.stringify(event),
    result: {
      index,
      event_id: event.event_id,
      invocation_id: idOf('inv', tenant.tag, invocationUlid(tenant.tenant_id, event.event_id)),
      status: 'queued',
      ...findDroppedMembers(sent),
    },
  };
};

/** Queues the valid events of a batch. Returns one result for each event, in order. */
export const receiveBatch = async (
  stores: EnqueueStores,
  {
    sent,
    caller,
    receivedAt,
  }: { readonly sent: readonly unknown[]; readonly caller: Caller; readonly receivedAt: number },
): Promise<InvocationBatchAccepted> => {
  const validated = sent.map((event, index) => validateEvent(event, index, caller.tenant, receivedAt));
  const events = validated.flatMap(({ event }) => (event === null ? [] : [event]));
  const droppedMembers = validated.reduce(
    (sum, { result }) => sum + (result.status === 'queued' ? result.scrubbed.length : 0),
    0,
  );
  await enqueueEvents(stores, { caller, receivedAt, events, droppedMembers });
  return {
    accepted: events.length,
    rejected: validated.length - events.length,
    results: validated.map(({ result }) => result),
  };
};
