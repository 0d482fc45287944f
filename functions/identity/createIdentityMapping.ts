import { type IdentityMapping, MAPPINGS_MAXIMUM } from '../../schemas/attribution/identityMapping.ts';
import { createIdentityMapping } from '../../schemas/routes/identity.ts';
import { nextPosition } from '../attribution/mappings/evaluationOrder.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { deterministicUlid, idOf } from '../shared/ids.ts';
import { updateWithRetry } from '../shared/optimisticUpdate.ts';
import { ProblemError } from '../shared/problem.ts';
import { buildMapping } from './mappingChanges.ts';

const mappingLimitReached = () =>
  new ProblemError('VALIDATION_FAILED', 'The tenant has as many mappings as it may.', {
    errors: [{ pointer: '', detail: `a tenant has at most ${MAPPINGS_MAXIMUM} mappings` }],
  });

export default operation(createIdentityMapping, async (call) => {
  const { body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  const ulid = deterministicUlid('identity mapping', claim.claim, receivedAt);
  let made: IdentityMapping | null = null;

  // The mapping's place follows from the call, but the tenant's others are counted with it: so a change, not a making.
  await updateWithRetry(
    claim,
    () => stores.mappingWriter.find(tenant.tenant_id, ulid),
    ({ document: found }) => {
      // Only an earlier attempt of this call can have made it, whatever became of it since.
      made = found.mapping ?? found.tombstone;
      if (made !== null) return null;
      if (found.collection.count >= MAPPINGS_MAXIMUM) throw mappingLimitReached();
      made = buildMapping(body, {
        id: idOf('map', tenant.tag, ulid),
        position: nextPosition(found.collection.last),
        effectiveFrom: new Date(receivedAt).toISOString(),
        at: receivedAt,
        by: caller.principal,
      });
      return [
        ...stores.mappingWriter.put(tenant.tenant_id, made, found, claim),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: made.id })),
      ];
    },
  );
  return reply(201, made, { location: `/api/v1/identity/mappings/${idOf('map', tenant.tag, ulid)}` });
});
