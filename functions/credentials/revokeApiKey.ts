import { revokeApiKey } from '../../schemas/routes/apiKeys.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { change } from '../shared/change.ts';
import { requireAuthorityToEnd } from './authority.ts';

export default operation(
  revokeApiKey,
  async ({ parameters, caller, receivedAt, claim, occasion, stores }) => {
    const { tenant } = caller;
    await change(
      claim,
      () => stores.credentialWriter.apiKey(`${tenant.tag}${parameters['id']}`),
      ({ document: key, revision }) => {
        requireAuthorityToEnd(caller, key);
        if (key.revoked_at !== null) return null;
        const revoked = { ...key, revoked_at: new Date(receivedAt).toISOString() };
        return [
          stores.credentialWriter.putApiKey(revoked, { seen: revision, by: claim }),
          stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: key.key_id })),
        ];
      },
    );
    return reply(204, undefined);
  },
);
