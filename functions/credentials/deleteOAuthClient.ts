import { deleteOAuthClient } from '../../schemas/routes/access/oauthClients.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { ProblemError } from '../shared/problem.ts';
import { updateWithRetry } from '../shared/retry/optimisticUpdate.ts';
import { toIso } from '../shared/time/toIso.ts';
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
