import { randomBytes } from 'node:crypto';
import { createWebhook } from '../../../schemas/routes/delivery/webhooks.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { authorizationBy } from '../../platform/tenancy/caller.ts';
import { requireReadable } from './endpoints/authorization.ts';
import { chargeOnce } from './endpoints/challengeLimit.ts';
import { newEndpoint } from './endpoints/endpointChanges.ts';
import { endpointResource } from './endpoints/endpointResource.ts';
import { requireAllowedUrl } from './endpoints/requireAllowedUrl.ts';
import { sealSecrets, unsealSecrets } from './endpoints/seal.ts';
import { createChallenge, sendChallenge } from './endpoints/sendChallenge.ts';
import { newSigningSecret } from './endpoints/signature.ts';
import { toWebhookRecord } from './endpoints/webhookRecord.ts';

export default operation(createWebhook, async (call) => {
  const { body, caller, receivedAt: at, stores } = call;
  const chargeChallenge = chargeOnce(stores.chargeChallenge);
  const vetted = await stores.vet(body.url);
  const key = await stores.endpointKey();

  const { document: endpoint, secret } = await endpointResource(stores.endpointWriter).create(
    call,
    async (id) => {
      requireReadable(caller, body.events);
      const url = requireAllowedUrl(vetted, body.url);
      await chargeChallenge(caller.tenant.tenant_id, id);
      const secrets = { current: newSigningSecret(randomBytes), previous: null };
      return newEndpoint(body, {
        id,
        url,
        sealedSecrets: sealSecrets(secrets, id, key, randomBytes),
        challenge: createChallenge(id, { key, random: randomBytes, at }),
        at,
        by: authorizationBy(caller, at),
      });
    },
    (created) => unsealSecrets(created, key).current,
  );
  await sendChallenge(stores.publisher, endpoint, call);
  return reply(
    201,
    { ...toWebhookRecord(endpoint, at), signing_secret: secret },
    { location: `/api/v1/webhooks/${endpoint.id}` },
  );
});
