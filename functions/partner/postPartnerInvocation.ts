import { postPartnerInvocation } from '../../schemas/routes/coverage/partner.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { receiveEvent } from '../ingestion/receiveEvent.ts';
import { connectorOf, requireOwnSourceSystem } from './connector.ts';
import { meterAccepted } from './meterAccepted.ts';

export default operation(postPartnerInvocation, async ({ body, rawBody, caller, receivedAt, stores }) => {
  const { sourceSystems } = connectorOf(caller);
  const event =
    sourceSystems === null
      ? body
      : { ...body, source_system: requireOwnSourceSystem(sourceSystems, body.source_system) };
  const accepted = await receiveEvent(stores, { event, rawBody, caller, receivedAt });
  await meterAccepted(stores.meter, caller, 1, receivedAt);
  return reply(202, accepted);
});
