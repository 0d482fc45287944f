import { randomBytes } from 'node:crypto';
import { createApiKey } from '../../schemas/routes/apiKeys.ts';
import { credentialMode } from '../access/apiKey.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { make } from '../shared/change.ts';
import { claimedUlid } from '../shared/ids.ts';
import { settings } from '../shared/settings.ts';
import { apiKeyRecord } from './apiKeyRecord.ts';
import { mintApiKey } from './minting.ts';
import { grantableExpiry, grantableLane, grantableScopes } from './rights.ts';

export default operation(createApiKey, async ({ body, caller, receivedAt, claim, occasion, stores }) => {
  const { tenant } = caller;
  const { stored, secret } = mintApiKey(
    {
      tenant,
      ulid: claimedUlid('api key', claim.claim, receivedAt),
      at: receivedAt,
      createdBy: caller.principal,
      random: randomBytes,
    },
    {
      name: body.name,
      scopes: grantableScopes(caller, body.scopes),
      residency: grantableLane(caller, body.residency),
      expiresAt: grantableExpiry(body.expires_at, receivedAt, tenant.key_lifetime_days),
    },
    credentialMode(settings.ENVIRONMENT),
  );
  await make(
    claim,
    () => stores.credentialWriter.apiKey(stored.key_id),
    (seen) => [
      stores.credentialWriter.putApiKey(stored, { seen, by: claim }),
      stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: stored.key_id })),
    ],
  );
  return reply(
    201,
    { ...apiKeyRecord(stored, undefined, receivedAt), secret },
    { location: `/api/v1/api-keys/${stored.key_id}` },
  );
});
