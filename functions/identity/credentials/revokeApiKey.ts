import { revokeApiKey } from '../../../schemas/routes/identity/apiKeys.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { requireAuthorityOver } from './authority.ts';

export default operation(
  revokeApiKey,
  async ({ parameters, caller, receivedAt, claim, auditContext, stores }) => {
    const { tenant } = caller;
    await updateWithRetry(
      claim,
      () => stores.credentialWriter.apiKey(`${tenant.tag}${parameters['id']}`),
      ({ document: key, revision }) => {
        requireAuthorityOver(caller, key);
        if (key.revoked_at !== null) return null;
        const revoked = { ...key, revoked_at: toIso(receivedAt) };
        return [
          stores.credentialWriter.putApiKey(revoked, { expectedRevision: revision, by: claim }),
          stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: key.key_id })),
        ];
      },
    );
    return reply(204, undefined);
  },
);
