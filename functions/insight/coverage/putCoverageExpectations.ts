import { CoverageExpectations } from '../../../schemas/insight/coverage.ts';
import { putCoverageExpectations } from '../../../schemas/routes/insight/coverage.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';

export default operation(putCoverageExpectations, async (call) => {
  const { body, caller, claim, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;
  const { result } = await changeOnce(call, CoverageExpectations, async () => {
    const { document, revision } = await stores.expectations.expectations(tenantId);
    const revisions = { expectedRevision: revision, by: claim };
    return {
      writes: [stores.expectations.putExpectations(tenantId, body, revisions)],
      result: body,
      resource: tenantId,
      before: document,
      after: body,
    };
  });
  return reply(200, result);
});
