import { getPartnerConnector, type PartnerConnector } from '../../../../schemas/routes/insight/partner.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { homeLane } from '../../../platform/tenancy/tenant.ts';
import { clientOf, connectorOf } from './connector.ts';

export default operation(getPartnerConnector, async ({ caller, receivedAt, stores }) => {
  const { name, sourceSystems } = connectorOf(caller);
  const { tenant, principal, residency } = caller;
  const { tenant_id: tenantId } = tenant;
  const lane = residency ?? homeLane(tenant);
  const { connectors } = stores;
  const [health, usage] = await Promise.all([
    connectors.connector(tenantId, { connector: name, ...clientOf(caller), residency: lane }),
    connectors.usage(tenantId, principal, receivedAt),
  ]);
  const connector: PartnerConnector = {
    client_id: principal,
    connector: name,
    residency,
    health: health === null ? null : { status: health.status, reported_at: toIso(health.at) },
    source_systems: sourceSystems === null ? [] : [...sourceSystems],
    usage,
  };
  return reply(200, connector);
});
