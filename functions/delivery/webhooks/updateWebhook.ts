import { randomBytes } from 'node:crypto';
import { updateWebhook } from '../../../schemas/routes/delivery/webhooks.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { authorizationBy } from '../../platform/tenancy/caller.ts';
import { requireReadable } from './endpoints/authorization.ts';
import { chargeOnce } from './endpoints/challengeLimit.ts';
import { isAuthorizing, patchEndpoint } from './endpoints/endpointChanges.ts';
import { endpointResource } from './endpoints/endpointResource.ts';
import { requireAllowedUrl } from './endpoints/requireAllowedUrl.ts';
import { createChallenge, sendChallenge } from './endpoints/sendChallenge.ts';
import { toWebhookRecord } from './endpoints/webhookRecord.ts';

export default operation(updateWebhook, async (call) => {
  const { body, caller, receivedAt: at, stores } = call;
  const { url, ...others } = body;
  const chargeChallenge = chargeOnce(stores.chargeChallenge);
  const vetted = url === undefined ? undefined : await stores.vet(url);
  const key = await stores.endpointKey();

  const { document } = await endpointResource(stores.endpointWriter).update(call, async (endpoint) => {
    if (isAuthorizing(body)) requireReadable(caller, body.events ?? endpoint.events);
    const allowed = vetted === undefined ? undefined : requireAllowedUrl(vetted, url ?? '');
    const patch = { ...others, ...(allowed !== undefined && { url: allowed }) };
    const challenge = createChallenge(endpoint.id, { key, random: randomBytes, at });
    const next = patchEndpoint(endpoint, patch, { challenge, at, by: authorizationBy(caller, at) });
    if (next.sealed_challenge === challenge.sealed) {
      await chargeChallenge(caller.tenant.tenant_id, endpoint.id);
    }
    return next;
  });
  await sendChallenge(stores.publisher, document, call);
  return reply(200, toWebhookRecord(document, at));
});
