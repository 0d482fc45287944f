import { getNodePools } from '../../../schemas/routes/chargeback/nodePools.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';

export default operation(getNodePools, async ({ caller, stores }) =>
  reply(200, { pools: await stores.tenants.nodePools(caller.tenant.tenant_id) }),
);
