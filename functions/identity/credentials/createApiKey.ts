import { randomBytes } from 'node:crypto';
import { createApiKey } from '../../../schemas/routes/identity/apiKeys.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { settings } from '../../platform/shared/settings.ts';
import { ApiKey, credentialMode } from '../access/principals/apiKey.ts';
import { changeOnce } from '../audit/changeOnce.ts';
import { toApiKeyRecord } from './apiKeyRecord.ts';
import { requireNoConnector } from './connectorRegistration.ts';
import { issueApiKey } from './issueCredential.ts';
import { grantableExpiry, grantableLane, grantableScopes } from './rights.ts';

export default operation(createApiKey, async (call) => {
  const { body, caller, receivedAt, claim, stores } = call;
  const { tenant } = caller;
  const { result: key, secret } = await changeOnce(call, ApiKey, async () => {
    const issued = issueApiKey(
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
    return {
      writes: stores.credentialWriter.putApiKey(issued.stored, { expectedRevision: null, by: claim }),
      result: issued.stored,
      secret: issued.secret,
      resource: issued.stored.key_id,
      before: null,
      after: issued.stored,
    };
  });
  return reply(
    201,
    { ...toApiKeyRecord(key, undefined, receivedAt), secret },
    { location: `/api/v1/api-keys/${key.key_id}` },
  );
});
