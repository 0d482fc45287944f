import { putPartnerHealth } from '../../../../schemas/routes/insight/partner.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { homeLane } from '../../../platform/tenancy/tenant.ts';
import { reportConnector } from '../connectorHealth.ts';
import { clientOf, connectorOf } from './connector.ts';

export default operation(putPartnerHealth, async ({ body, caller, receivedAt, stores }) => {
  const { name } = connectorOf(caller);
  const { tenant, residency } = caller;
  const report = {
    connector: name,
    ...clientOf(caller),
    status: body.status,
    residency: residency ?? homeLane(tenant),
    at: receivedAt,
  };
  await reportConnector(stores, tenant, report, receivedAt);
  return reply(200, { status: body.status, reported_at: toIso(receivedAt) });
});
