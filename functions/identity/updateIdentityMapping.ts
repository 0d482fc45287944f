import type { IdentityMapping } from '../../schemas/attribution/identityMapping.ts';
import { updateIdentityMapping } from '../../schemas/routes/identity.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { change } from '../shared/change.ts';
import { noSuchMapping, patchedMapping } from './edit.ts';

export default operation(updateIdentityMapping, async (call) => {
  const { parameters, body, caller, receivedAt, claim, occasion, stores } = call;
  const { tenant } = caller;
  let result: IdentityMapping | null = null;

  await change(
    claim,
    () => stores.mappingWriter.find(tenant.tenant_id, parameters['id'] ?? ''),
    ({ document: found }, isRetry) => {
      if (found.mapping === null) throw noSuchMapping();
      result = isRetry ? found.mapping : patchedMapping(found.mapping, body, receivedAt);
      if (isRetry) return null;
      return [
        ...stores.mappingWriter.put(tenant.tenant_id, result, found, claim),
        stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: result.id })),
      ];
    },
  );
  return reply(200, result);
});
