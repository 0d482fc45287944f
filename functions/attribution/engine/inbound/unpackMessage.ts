import type { SQSRecord } from 'aws-lambda';
import type { Counter, CounterName } from '../../../../schemas/tenants/counters.ts';
import type { InboundMessage } from '../../../ingest/events/inboundMessage.ts';
import type { SendToDeadLetterQueue } from '../../../ingest/events/sendToDeadLetterQueue.ts';
import type { Unpacked } from '../../../platform/queue/messageItems.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { counterOfDeadLetter } from './eventCounter.ts';
import type { InboundEvent } from './processEvent.ts';

const NOTHING_TO_DO = { items: [], finish: () => undefined };

/**
 * Reads a queue message into the events of one tenant. A message that names no known tenant, or that cannot be read, goes to
 * the dead-letter queue as a whole.
 */
export const messageUnpacker =
  (deps: {
    readonly read: (message: SQSRecord) => Promise<InboundMessage>;
    readonly tenantById: (tenantId: string) => Promise<Tenant | null>;
    /** Whether what arrived then belongs to data that the tenant has deleted since. */
    readonly isDeleted: (tenant: Tenant, receivedAt: number) => Promise<boolean>;
    readonly sendToDeadLetterQueue: SendToDeadLetterQueue;
    readonly count: (tenantId: string, name: Counter, increment?: number) => void;
    /** Called when all events of a message that came over HTTP are recorded. */
    readonly onRecorded: (tenantId: string, receivedAt: number) => void;
  }) =>
  async (message: SQSRecord): Promise<Unpacked<InboundEvent, CounterName | undefined>> => {
    const inbound = await deps.read(message);
    const { tenantId, receivedAt } = inbound;
    const sent = inbound.events.map((checked) => checked.sent);
    if (inbound.fault !== null) {
      await deps.sendToDeadLetterQueue(inbound, inbound.fault, 'See the reason.', sent);
      const name = counterOfDeadLetter(inbound.fault);
      if (tenantId !== null && name !== undefined) deps.count(tenantId, name);
      return NOTHING_TO_DO;
    }
    const tenant = tenantId === null ? null : await deps.tenantById(tenantId);
    if (tenant === null) {
      await deps.sendToDeadLetterQueue(inbound, 'unknown_tenant', 'There is no such tenant.', sent);
      return NOTHING_TO_DO;
    }
    if (await deps.isDeleted(tenant, receivedAt)) return NOTHING_TO_DO;
    return {
      items: inbound.events.map((checked) => ({ checked, inbound, tenant })),
      // Counted only now: a message that fails is delivered again, and counts then.
      finish: (increments) => {
        for (const name of increments) if (name !== undefined) deps.count(tenant.tenant_id, name);
        for (const [name, count] of inbound.counts) deps.count(tenant.tenant_id, name, count);
        // Progress is measured from the API. The other queue says nothing about what the API has accepted.
        if (inbound.sender === null && sent.length > 0) deps.onRecorded(tenant.tenant_id, receivedAt);
      },
    };
  };
