import { deleteIdentityMapping } from '../../schemas/routes/identity.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { change } from '../shared/change.ts';
import { noSuchMapping } from './edit.ts';

export default operation(deleteIdentityMapping, async (call) => {
  const { parameters, caller, receivedAt, claim, occasion, stores } = call;
  const { tenant } = caller;

  await change(
    claim,
    () => stores.mappingWriter.find(tenant.tenant_id, parameters['id'] ?? ''),
    ({ document: found }, isRetry) => {
      const { mapping } = found;
      if (mapping === null) {
        if (isRetry) return null;
        throw noSuchMapping();
      }
      return [
        ...stores.mappingWriter.remove(tenant.tenant_id, mapping, found, claim, receivedAt),
        stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: mapping.id })),
      ];
    },
  );
  return reply(204, undefined);
});
