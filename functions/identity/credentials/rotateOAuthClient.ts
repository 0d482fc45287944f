import { randomBytes } from 'node:crypto';
import { rotateOAuthClient } from '../../../schemas/routes/identity/oauthClients.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import type { OAuthClient } from '../access/client.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { requireAuthorityOver } from './authority.ts';
import { toClientRecord } from './clientRecord.ts';
import { type IssuedCredential, rotateClientSecret } from './issueCredential.ts';

export default operation(rotateOAuthClient, async (call) => {
  const { parameters, body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  const overlap = (body.overlap_seconds ?? 0) * 1_000;
  let result: IssuedCredential<OAuthClient> | undefined;

  await updateWithRetry(
    claim,
    () => stores.credentialWriter.client(`${tenant.tag}${parameters['id']}`),
    ({ document: client, revision }, isRetry) => {
      if (client.deleted_at !== null) throw new ProblemError('NOT_FOUND', 'There is no such OAuth client.');
      requireAuthorityOver(caller, client);
      if (client.secrets === null) {
        throw new ProblemError('CONFLICT', 'A public client has no secret to rotate.');
      }
      result = rotateClientSecret(client, { at: receivedAt, overlap, isRetry, random: randomBytes });
      return [
        stores.credentialWriter.putClient(result.stored, { expectedRevision: revision, by: claim }),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: client.client_id })),
      ];
    },
  );
  if (result === undefined) throw new Error('the rotation returned without a result');
  return reply(200, {
    ...toClientRecord(result.stored, undefined, receivedAt),
    client_secret: result.secret,
  });
});
