import { randomBytes } from 'node:crypto';
import { rotateApiKey } from '../../../schemas/routes/identity/apiKeys.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { createEvent } from '../../platform/outbox/createEvent.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { settings } from '../../platform/shared/settings.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { type ApiKey, apiKeyState, credentialMode } from '../access/apiKey.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import { overlapEnd, toApiKeyRecord } from './apiKeyRecord.ts';
import { requireAuthorityOver } from './authority.ts';
import { type IssuedCredential, rotateApiKeySecret } from './issueCredential.ts';
import { rotatedExpiry } from './rights.ts';

export default operation(rotateApiKey, async (call) => {
  const { parameters, body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  const mode = credentialMode(settings.ENVIRONMENT);
  const overlap = (body.overlap_seconds ?? 0) * 1_000;
  let result: IssuedCredential<ApiKey> | undefined;

  await updateWithRetry(
    claim,
    () => stores.credentialWriter.apiKey(`${tenant.tag}${parameters['id']}`),
    ({ document: key, revision }, isRetry) => {
      requireAuthorityOver(caller, key);
      const state = apiKeyState(key, receivedAt);
      if (state === 'revoked' || state === 'expired') {
        throw new ProblemError('CONFLICT', `The key is ${state}. Create a new one.`);
      }
      const expiresAt = isRetry
        ? Date.parse(key.expires_at)
        : rotatedExpiry(key, body.expires_at, { now: receivedAt, lifetimeDays: tenant.key_lifetime_days });
      const rotation = { at: receivedAt, overlap, expiresAt, isRetry, random: randomBytes };
      result = rotateApiKeySecret(key, rotation, mode);
      const event = createEvent(
        'apikey.rotated',
        {
          api_key_id: key.key_id,
          name: key.name,
          rotated_at: toIso(receivedAt),
          previous_secret_valid_until: overlapEnd(result.stored.secrets, receivedAt),
        },
        { ulid: deterministicUlid('apikey.rotated', claim.claim, receivedAt), at: receivedAt, tenant },
      );
      return [
        stores.credentialWriter.putApiKey(result.stored, { expectedRevision: revision, by: claim }),
        stores.outbox.raise(event),
        stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: key.key_id })),
      ];
    },
  );
  if (result === undefined) throw new Error('the rotation returned without a result');
  return reply(200, { ...toApiKeyRecord(result.stored, undefined, receivedAt), secret: result.secret });
});
