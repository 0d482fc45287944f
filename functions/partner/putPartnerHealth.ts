import { putPartnerHealth } from '../../schemas/routes/coverage/partner.ts';
import { reportConnector } from '../coverage/connectorHealth.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { orUnavailable } from '../shared/problem.ts';
import { toIso } from '../shared/time/toIso.ts';
import { homeLane } from '../tenancy/tenant.ts';
import { connectorOf } from './connector.ts';

export default operation(putPartnerHealth, async ({ body, caller, receivedAt, stores }) => {
  const { name } = connectorOf(caller);
  const { tenant, residency } = caller;
  const report = {
    connector: name,
    status: body.status,
    residency: residency ?? homeLane(tenant),
    at: receivedAt,
  };
  await orUnavailable(() => reportConnector(stores, tenant, report, receivedAt));
  return reply(200, { status: body.status, reported_at: toIso(receivedAt) });
});
