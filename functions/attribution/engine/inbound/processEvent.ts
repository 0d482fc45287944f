import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import type { CounterName } from '../../../../schemas/tenants/counters.ts';
import type { CheckedEvent } from '../../../ingest/events/checkEvent.ts';
import type { InboundMessage } from '../../../ingest/events/inboundMessage.ts';
import type { SendToDeadLetterQueue } from '../../../ingest/events/sendToDeadLetterQueue.ts';
import { log } from '../../../platform/shared/log.ts';
import { measure } from '../../../platform/shared/metrics.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { Arrival } from '../incomingCall.ts';
import { AttributionFault } from '../recordEvent.ts';
import type { RecordOutcome } from '../recordOutcome.ts';
import { counterOfDeadLetter, counterOfOutcome } from './eventCounter.ts';

/** What shows that a retrieval has found its call. */
const COMPLETED: ReadonlySet<RecordOutcome> = new Set([
  'merged',
  'contradicted',
  'duplicate',
  'same_arrival',
  'rejected',
]);

/** A message this old, in milliseconds, shows that the queue has fallen behind, so earlier messages may still be in it. */
const BEHIND_MS = 1_000;

/** One event of a message. */
export interface InboundEvent {
  readonly checked: CheckedEvent;
  readonly inbound: InboundMessage;
  readonly tenant: Tenant;
}

/**
 * Records a valid event. An invalid one, and one whose attribution would fail again, goes to the dead-letter queue. Returns
 * the counter that the event increments, if any. Rejects when the event must be tried again.
 */
export const eventProcessor =
  (deps: {
    readonly recordEvent: (
      event: InvocationEvent,
      arrival: Arrival,
      tenant: Tenant,
    ) => Promise<RecordOutcome>;
    readonly recordHeartbeat: (tenant: Tenant, event: InvocationEvent, arrival: Arrival) => Promise<void>;
    readonly sendToDeadLetterQueue: SendToDeadLetterQueue;
    /** Milliseconds since any fixed time, for the duration of an event. */
    readonly elapsed: () => number;
    readonly clock: () => number;
  }) =>
  async ({ checked, inbound, tenant }: InboundEvent, attempt: number): Promise<CounterName | undefined> => {
    const { event } = checked;
    if (event === null) {
      const detail = checked.errors.map(({ pointer, detail: reason }) => `${pointer} ${reason}`).join('; ');
      await deps.sendToDeadLetterQueue(inbound, 'invalid_event', detail, [checked.sent]);
      return counterOfDeadLetter('invalid_event');
    }
    const startedAt = deps.elapsed();
    const isBehind = deps.clock() - inbound.receivedAt > BEHIND_MS;
    try {
      await deps.recordHeartbeat(tenant, event, inbound);
      const outcome = await deps.recordEvent(event, inbound, tenant);
      // The call may be reported in the same batch, so it is tried again within it. A stored response that nobody reported is
      // read at any time, and returns the message, once, only if the report of the call may still be in the queue.
      const mayFollow = attempt === 1 || (isBehind && !inbound.isRedelivered);
      if (event.retrieval === true && mayFollow && !COMPLETED.has(outcome)) {
        throw new Error('the call of a retrieval is not recorded yet');
      }
      if (outcome === 'recorded' || outcome === 'set_aside') {
        measure('recorded');
        measure('eventTime', deps.elapsed() - startedAt);
      }
      if (outcome === 'duplicate' || outcome === 'duplicate_mismatch') measure('duplicates');
      if (outcome === 'duplicate_mismatch') {
        log({ level: 'warn', message: 'duplicate_mismatch', tenant_id: tenant.tenant_id });
      }
      // A second attempt meets the record of the first.
      return counterOfOutcome(outcome, inbound.isRedelivered || attempt > 1);
    } catch (failure) {
      if (!(failure instanceof AttributionFault)) throw failure;
      const detail = 'The event could not be attributed.';
      await deps.sendToDeadLetterQueue(inbound, 'attribution_failed', detail, [event]);
      return counterOfDeadLetter('attribution_failed');
    }
  };
