import { NodePools } from '../../../schemas/attribution/nodePools.ts';
import { putNodePools } from '../../../schemas/routes/chargeback/nodePools.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';

export default operation(putNodePools, async (call) => {
  const { body, caller, claim, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;
  const { result: pools } = await changeOnce(call, NodePools, async () => {
    const { document: before, revision } = await stores.tenantSettings.nodePools(tenantId);
    const revisions = { expectedRevision: revision, by: claim };
    return {
      writes: [stores.tenantSettings.putNodePools(tenantId, body.pools, revisions)],
      result: body.pools,
      resource: tenantId,
      before,
      after: body.pools,
    };
  });
  return reply(200, { pools });
});
