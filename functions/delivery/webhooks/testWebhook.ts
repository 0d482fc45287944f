import { testWebhook } from '../../../schemas/routes/delivery/webhookDeliveries.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { sendOnce } from './sendOnce.ts';
import { sampleEvent } from './streams/sampleEvents.ts';

export default operation(testWebhook, async (call) => {
  const { body, caller, receivedAt, claim } = call;
  const ulid = deterministicUlid('webhook test', claim.claim, receivedAt);
  const event = sampleEvent(body.type, { ulid, at: receivedAt, tenant: caller.tenant });
  return reply(202, await sendOnce(call, async () => [event], { kind: 'test' }));
});
