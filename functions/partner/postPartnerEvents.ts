import { postPartnerEvents } from '../../schemas/routes/coverage/partner.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { receiveBatch } from '../ingestion/receiveBatch.ts';
import { describeError, log } from '../shared/log.ts';
import { connectorOf, requireOwnSourceSystems } from './connector.ts';

export default operation(postPartnerEvents, async ({ body, caller, receivedAt, stores }) => {
  const { sourceSystems } = connectorOf(caller);
  const sent = requireOwnSourceSystems(sourceSystems, body.events);
  const accepted = await receiveBatch(stores, { sent, caller, receivedAt });
  if (accepted.accepted > 0) {
    // The events are queued. A missing count must not make the partner send them again.
    await stores.meter
      .add(caller.tenant.tenant_id, caller.principal, accepted.accepted, receivedAt)
      .catch((error: unknown) =>
        log({ level: 'warn', message: 'usage of a connector was not counted', ...describeError(error) }),
      );
  }
  return reply(202, accepted);
});
