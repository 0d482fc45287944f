import { postPartnerInvocation } from '../../../../schemas/routes/insight/partner.ts';
import { receiveEvent } from '../../../ingest/events/receiveEvent.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
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
