import { putCoverageExpectations } from '../../schemas/routes/coverage/coverage.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { NO_REVISION } from '../shared/aws/document.store.ts';
import { orUnavailable } from '../shared/problem.ts';
import { updateWithRetry } from '../shared/retry/optimisticUpdate.ts';

export default operation(putCoverageExpectations, async ({ body, caller, claim, auditContext, stores }) => {
  const { tenant_id: tenantId } = caller.tenant;
  await orUnavailable(() =>
    updateWithRetry(
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
    ),
  );
  return reply(200, body);
});
