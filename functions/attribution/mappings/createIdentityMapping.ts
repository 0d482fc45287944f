import { type IdentityMapping, MAPPINGS_MAXIMUM } from '../../../schemas/attribution/identityMapping.ts';
import { createIdentityMapping } from '../../../schemas/routes/attribution/mappings.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { deterministicUlid, idOf } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { nextPosition } from './evaluationOrder.ts';
import { buildMapping } from './mappingChanges.ts';

const mappingLimitReached = () =>
  new ProblemError(
    'VALIDATION_FAILED',
    `Mapping limit reached (${MAPPINGS_MAXIMUM} per tenant). Delete a mapping first.`,
    {
      errors: [{ pointer: '', detail: `a tenant has at most ${MAPPINGS_MAXIMUM} mappings` }],
    },
  );

export default operation(createIdentityMapping, async (call) => {
  const { body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  const ulid = deterministicUlid('identity mapping', claim.claim, receivedAt);
  let created: IdentityMapping | null = null;

  // Not `createOnce`: the write also changes the tenant's collection of mappings, which other calls change as well.
  await updateWithRetry(
    claim,
    () => stores.mappingWriter.find(tenant.tenant_id, ulid),
    ({ document: lookup }) => {
      // The id follows from the call, so only an earlier attempt of this call can have created the mapping.
      created = lookup.current ?? lookup.deleted;
      if (created !== null) return null;
      if (lookup.head.count >= MAPPINGS_MAXIMUM) throw mappingLimitReached();
      created = buildMapping(body, {
        id: idOf('map', tenant.tag, ulid),
        position: nextPosition(lookup.head.last),
        effectiveFrom: toIso(receivedAt),
        at: receivedAt,
        by: caller.principal,
      });
      return [
        ...stores.mappingWriter.put(tenant.tenant_id, created, lookup, claim),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: created.id })),
      ];
    },
  );
  return reply(201, created, { location: `/api/v1/identity/mappings/${idOf('map', tenant.tag, ulid)}` });
});
