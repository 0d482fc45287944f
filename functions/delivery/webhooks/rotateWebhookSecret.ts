import { randomBytes } from 'node:crypto';
import { rotateWebhookSecret } from '../../../schemas/routes/delivery/webhooks.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { requireReadable } from './endpoints/authorization.ts';
import { endpointResource } from './endpoints/endpointResource.ts';
import { sealSecrets, unsealSecrets } from './endpoints/seal.ts';
import { newSigningSecret, ROTATION_OVERLAP, rotateSigningSecret } from './endpoints/signature.ts';
import { toWebhookRecord } from './endpoints/webhookRecord.ts';

export default operation(rotateWebhookSecret, async (call) => {
  const { body, caller, receivedAt, stores } = call;
  const at = toIso(receivedAt);
  const overlap = body.overlap_seconds === undefined ? ROTATION_OVERLAP : body.overlap_seconds * 1_000;
  const key = await stores.endpointKey();

  const { document, secret } = await endpointResource(stores.endpointWriter).update(
    call,
    (endpoint) => {
      // The response contains the signing secret, so the caller must be able to read the events it signs.
      requireReadable(caller, endpoint.events);
      const before = unsealSecrets(endpoint, key);
      const next = newSigningSecret(randomBytes);
      const secrets = rotateSigningSecret(before, next, { at: receivedAt, overlap });
      return {
        ...endpoint,
        sealed_secrets: sealSecrets(secrets, endpoint.id, key, randomBytes),
        secret_rotated_at: at,
        previous_secret_valid_until: secrets.previous?.valid_until ?? null,
        updated_at: at,
      };
    },
    (rotated) => unsealSecrets(rotated, key).current,
  );
  return reply(200, { ...toWebhookRecord(document, receivedAt), signing_secret: secret });
});
