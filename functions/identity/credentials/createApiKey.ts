import { randomBytes } from 'node:crypto';
import { createApiKey } from '../../../schemas/routes/identity/apiKeys.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { createOnce } from '../../platform/shared/retry/optimisticUpdate.ts';
import { settings } from '../../platform/shared/settings.ts';
import { credentialMode } from '../access/apiKey.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { toApiKeyRecord } from './apiKeyRecord.ts';
import { requireNoConnector } from './connectorRegistration.ts';
import { issueApiKey } from './issueCredential.ts';
import { grantableExpiry, grantableLane, grantableScopes } from './rights.ts';

export default operation(createApiKey, async ({ body, caller, receivedAt, claim, auditContext, stores }) => {
  const { tenant } = caller;
  const { stored, secret } = issueApiKey(
    {
      tenant,
      ulid: deterministicUlid('api key', claim.claim, receivedAt),
      at: receivedAt,
      createdBy: caller.principal,
      random: randomBytes,
    },
    {
      name: body.name,
      scopes: grantableScopes(caller, requireNoConnector(body.scopes)),
      residency: grantableLane(caller, body.residency),
      expiresAt: grantableExpiry(body.expires_at, receivedAt, tenant.key_lifetime_days),
    },
    credentialMode(settings.ENVIRONMENT),
  );
  await createOnce(
    claim,
    () => stores.credentialWriter.apiKey(stored.key_id),
    (current) => [
      stores.credentialWriter.putApiKey(stored, { expectedRevision: current, by: claim }),
      stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: stored.key_id })),
    ],
  );
  return reply(
    201,
    { ...toApiKeyRecord(stored, undefined, receivedAt), secret },
    { location: `/api/v1/api-keys/${stored.key_id}` },
  );
});
