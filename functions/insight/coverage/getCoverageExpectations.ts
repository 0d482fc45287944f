import { getCoverageExpectations } from '../../../schemas/routes/insight/coverage.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';

export default operation(getCoverageExpectations, async ({ caller, stores }) => {
  const { document } = await stores.coverage.expectations(caller.tenant.tenant_id);
  return reply(200, document);
});
