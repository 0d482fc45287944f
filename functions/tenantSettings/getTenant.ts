import { getTenant } from '../../schemas/routes/tenant.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { orUnavailable } from '../shared/problem.ts';
import { toTenantSettings } from './tenantSettings.ts';

export default operation(getTenant, async ({ caller, stores }) => {
  const { tenant_id: tenantId } = caller.tenant;
  // Read anew: what the caller was let in by may be some seconds old, and it may have changed it itself since.
  const [tenant, serving] = await orUnavailable(() =>
    Promise.all([stores.tenants.tenant(tenantId), stores.serving.serving(tenantId)]),
  );
  return reply(200, toTenantSettings(tenant ?? caller.tenant, serving));
});
