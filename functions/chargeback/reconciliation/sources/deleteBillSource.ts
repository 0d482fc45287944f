import { deleteBillSource } from '../../../../schemas/routes/chargeback/billSources.ts';
import { buildAuditEntry } from '../../../identity/audit/auditEntry.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { updateWithRetry } from '../../../platform/shared/retry/optimisticUpdate.ts';
import { requireBillSource } from './billSource.ts';

export default operation(deleteBillSource, async (call) => {
  const { parameters, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;

  await updateWithRetry(
    claim,
    () => stores.billSourceWriter.find(tenant.tenant_id, parameters['id'] ?? ''),
    ({ document: lookup }, isRetry) => {
      if (lookup.current === null && isRetry) return null;
      const source = requireBillSource(lookup.current);
      return [
        ...stores.billSourceWriter.remove(tenant.tenant_id, source, lookup, {
          by: claim,
          now: receivedAt,
        }),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: source.id })),
      ];
    },
  );
  return reply(204, undefined);
});
