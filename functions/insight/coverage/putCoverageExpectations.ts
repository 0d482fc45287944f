import { putCoverageExpectations } from '../../../schemas/routes/insight/coverage.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { NO_REVISION } from '../../platform/shared/aws/document.store.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';

export default operation(putCoverageExpectations, async ({ body, caller, claim, auditContext, stores }) => {
  const { tenant_id: tenantId } = caller.tenant;
  await updateWithRetry(
    claim,
    async () => {
      const known = await stores.expectations.expectations(tenantId);
      return { document: known, revision: known.revision ?? NO_REVISION };
    },
    ({ document: { revision } }, isRetry) =>
      isRetry
        ? null
        : [
            stores.expectations.putExpectations(tenantId, body, { expectedRevision: revision, by: claim }),
            stores.audit.append(tenantId, buildAuditEntry(auditContext, { resource: tenantId })),
          ],
  );
  return reply(200, body);
});
