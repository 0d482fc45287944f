import { expect, it } from 'vitest';
import { eventProcessor } from '../../../../functions/attribution/engine/inbound/processEvent.ts';
import type { InboundMessage } from '../../../../functions/ingest/events/inboundMessage.ts';
import { provenanceOfSender } from '../../../../functions/ledger/records/provenance.ts';
import { anEvent, aTenant } from '../events.ts';

const RECEIVED_AT = 1_000_000;

/** What the second attempt of a read does whose call is not recorded: whether its message returns to the queue. */
const returnsMessage = async (age: number, isRedelivered: boolean): Promise<boolean> => {
  const process = eventProcessor({
    recordEvent: async () => 'recorded',
    recordHeartbeat: async () => undefined,
    sendToDeadLetterQueue: async () => undefined,
    elapsed: () => 0,
    clock: () => RECEIVED_AT + age,
  });
  const event = anEvent({ retrieval: true });
  const inbound: InboundMessage = {
    tenantId: aTenant().tenant_id,
    sender: null,
    statedBy: provenanceOfSender('arn:aws:iam::1:role/a'),
    residency: null,
    receivedAt: RECEIVED_AT,
    isRedelivered,
    counts: new Map(),
    events: [],
    fault: null,
    digest: null,
  };
  const item = { checked: { event, errors: [], dropped: [], sent: event }, inbound, tenant: aTenant() };
  return process(item as never, 2).then(
    () => false,
    () => true,
  );
};

it.each([
  ['stays, when the queue is not behind', 300, false, false],
  ['returns once, when the queue is behind', 5_000, false, true],
  ['does not return again', 5_000, true, false],
] as const)('the message of a read without a call %s', async (_, age, isRedelivered, returns) => {
  const outcome = await returnsMessage(age, isRedelivered);

  expect(outcome).toBe(returns);
});
