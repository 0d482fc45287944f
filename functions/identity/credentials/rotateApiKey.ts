import { randomBytes } from 'node:crypto';
import { rotateApiKey } from '../../../schemas/routes/identity/apiKeys.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { createEvent } from '../../platform/outbox/createEvent.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { settings } from '../../platform/shared/settings.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { ApiKey, apiKeyState, credentialMode } from '../access/principals/apiKey.ts';
import { changeOnce } from '../audit/changeOnce.ts';
import { overlapEnd, toApiKeyRecord } from './apiKeyRecord.ts';
import { requireAuthorityOver } from './authority.ts';
import { rotateApiKeySecret } from './issueCredential.ts';
import { requireApiKey } from './requireCredential.ts';
import { rotatedExpiry } from './rights.ts';

export default operation(rotateApiKey, async (call) => {
  const { parameters, body, caller, receivedAt, claim, stores } = call;
  const { tenant } = caller;
  const overlap = (body.overlap_seconds ?? 0) * 1_000;

  const { result: rotated, secret } = await changeOnce(call, ApiKey, async () => {
    const found = await stores.credentialWriter.apiKey(`${tenant.tag}${parameters['id']}`);
    const { document: key, revision } = requireApiKey(found);
    requireAuthorityOver(caller, key);
    const state = apiKeyState(key, receivedAt);
    if (state === 'revoked' || state === 'expired') {
      throw new ProblemError('CONFLICT', `The key is ${state}. Create a new one.`);
    }
    const limits = { now: receivedAt, lifetimeDays: tenant.key_lifetime_days };
    const expiresAt = rotatedExpiry(key, body.expires_at, limits);
    const rotation = { at: receivedAt, overlap, expiresAt, random: randomBytes };
    const issued = rotateApiKeySecret(key, rotation, credentialMode(settings.ENVIRONMENT));
    const event = createEvent(
      'apikey.rotated',
      {
        api_key_id: key.key_id,
        name: key.name,
        rotated_at: toIso(receivedAt),
        previous_secret_valid_until: overlapEnd(issued.stored.secrets, receivedAt),
      },
      { ulid: deterministicUlid('apikey.rotated', claim.claim, receivedAt), at: receivedAt, tenant },
    );
    return {
      writes: [
        ...stores.credentialWriter.putApiKey(issued.stored, { expectedRevision: revision, by: claim }),
        stores.outbox.raise(event),
      ],
      result: issued.stored,
      secret: issued.secret,
      resource: key.key_id,
      before: key,
      after: issued.stored,
    };
  });
  return reply(200, { ...toApiKeyRecord(rotated, undefined, receivedAt), secret });
});
