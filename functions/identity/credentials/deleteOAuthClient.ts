import { deleteOAuthClient } from '../../../schemas/routes/identity/oauthClients.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { requireAuthorityOver } from './authority.ts';

export default operation(deleteOAuthClient, async (call) => {
  const { parameters, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  await updateWithRetry(
    claim,
    () => stores.credentialWriter.client(`${tenant.tag}${parameters['id']}`),
    ({ document: client, revision }, isRetry) => {
      if (isRetry) return null;
      if (client.deleted_at !== null) throw new ProblemError('NOT_FOUND', 'There is no such OAuth client.');
      requireAuthorityOver(caller, client);
      const deleted = { ...client, deleted_at: toIso(receivedAt) };
      return [
        stores.credentialWriter.putClient(deleted, { expectedRevision: revision, by: claim }),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: client.client_id })),
      ];
    },
  );
  return reply(204, undefined);
});
