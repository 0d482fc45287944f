import { randomBytes } from 'node:crypto';
import { createOAuthClient } from '../../../schemas/routes/identity/oauthClients.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { createOnce } from '../../platform/shared/retry/optimisticUpdate.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { toClientRecord } from './clientRecord.ts';
import { validateRegistration } from './clientRegistration.ts';
import { validateConnector } from './connectorRegistration.ts';
import { issueClient } from './issueCredential.ts';
import { grantableLane, grantableScopes } from './rights.ts';

export default operation(createOAuthClient, async (call) => {
  const { body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  const { stored, secret } = issueClient(
    {
      tenant,
      ulid: deterministicUlid('oauth client', claim.claim, receivedAt),
      at: receivedAt,
      createdBy: caller.principal,
      random: randomBytes,
    },
    {
      ...validateRegistration(body),
      ...validateConnector(body),
      name: body.name,
      scopes: grantableScopes(caller, body.scopes),
      residency: grantableLane(caller, body.residency),
    },
  );
  await createOnce(
    claim,
    () => stores.credentialWriter.client(stored.client_id),
    (current) => [
      stores.credentialWriter.putClient(stored, { expectedRevision: current, by: claim }),
      stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: stored.client_id })),
    ],
  );
  return reply(
    201,
    { ...toClientRecord(stored, undefined, receivedAt), client_secret: secret },
    { location: `/api/v1/oauth-clients/${stored.client_id}` },
  );
});
