import { putCoverageExpectations } from '../../schemas/routes/coverage.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { change } from '../shared/change.ts';
import { orUnavailable } from '../shared/problem.ts';

/** Who wrote what is not there. */
const NOBODY = { claim: '', attempt: 0 };

export default operation(putCoverageExpectations, async ({ body, caller, claim, occasion, stores }) => {
  const { tenant_id: tenantId } = caller.tenant;
  await orUnavailable(() =>
    change(
      claim,
      async () => {
        const known = await stores.expectations.expectations(tenantId);
        return { document: known, revision: known.revision ?? NOBODY };
      },
      ({ document: { revision } }, isRetry) =>
        isRetry
          ? null
          : [
              stores.expectations.putExpectations(tenantId, body, { seen: revision, by: claim }),
              stores.audit.append(tenantId, auditEntry(occasion, { resource: tenantId })),
            ],
    ),
  );
  return reply(200, body);
});
