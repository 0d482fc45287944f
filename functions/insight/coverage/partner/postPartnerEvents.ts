import { postPartnerEvents } from '../../../../schemas/routes/insight/partner.ts';
import { receiveBatch } from '../../../ingest/events/receiveBatch.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { connectorOf, requireOwnSourceSystems } from './connector.ts';
import { meterAccepted } from './meterAccepted.ts';

export default operation(postPartnerEvents, async ({ body, caller, receivedAt, stores }) => {
  const { sourceSystems } = connectorOf(caller);
  const sent = requireOwnSourceSystems(sourceSystems, body.events);
  const accepted = await receiveBatch(stores, { sent, caller, receivedAt });
  await meterAccepted(stores.meter, caller, accepted.accepted, receivedAt);
  return reply(202, accepted);
});
