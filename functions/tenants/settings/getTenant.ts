import { getTenant } from '../../../schemas/routes/tenants/tenant.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { toTenantSettings } from './tenantSettings.ts';

export default operation(getTenant, async ({ caller, stores }) => {
  const { tenant_id: tenantId } = caller.tenant;
  // Read again, because the authenticated tenant may come from a cache that is some seconds old.
  const [tenant, serving] = await Promise.all([
    stores.tenants.tenant(tenantId),
    stores.serving.serving(tenantId),
  ]);
  return reply(200, toTenantSettings(tenant ?? caller.tenant, serving));
});
