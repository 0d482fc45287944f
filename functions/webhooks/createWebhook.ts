import { randomBytes } from 'node:crypto';
import { createWebhook } from '../../schemas/routes/webhooks.ts';
import { ENDPOINTS_MAXIMUM } from '../../schemas/webhooks.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { change } from '../shared/change.ts';
import { claimedUlid, idOf } from '../shared/ids.ts';
import { orUnavailable, ProblemError } from '../shared/problem.ts';
import { authorizationBy, requireReadable } from './endpoints/authorization.ts';
import { newEndpoint } from './endpoints/edit.ts';
import type { StoredEndpoint } from './endpoints/endpoint.store.ts';
import { requireAllLanes } from './endpoints/lane.ts';
import { webhookRecord } from './endpoints/record.ts';
import { accepted } from './endpoints/registration.ts';
import { openSecrets, sealSecrets } from './endpoints/seal.ts';
import { newSigningSecret } from './endpoints/signature.ts';
import { openedChallenge, sendChallenge } from './endpoints/verification.ts';

const tooMany = () =>
  new ProblemError('VALIDATION_FAILED', 'The tenant has as many webhook endpoints as it may.', {
    errors: [{ pointer: '', detail: `a tenant has at most ${ENDPOINTS_MAXIMUM} webhook endpoints` }],
  });

export default operation(createWebhook, async (call) => {
  const { body, caller, receivedAt, claim, occasion, stores } = call;
  requireAllLanes(caller);
  requireReadable(caller, body.events);
  const { tenant } = caller;
  const id = idOf('whe', tenant.tag, claimedUlid('webhook', claim.claim, receivedAt));
  let made: StoredEndpoint | undefined;

  return orUnavailable(async () => {
    const vetted = await stores.vet(body.url);
    const key = await stores.endpointKey();
    const challenge = openedChallenge(id, { key, random: randomBytes, at: receivedAt });
    await change(
      claim,
      () => stores.endpointWriter.find(tenant.tenant_id, id),
      ({ document: found }) => {
        // Only an earlier attempt of this call can have made it, whatever became of it since, and of its name.
        const before = found.endpoint ?? found.deleted;
        if (before !== null) {
          made = before;
          return null;
        }
        const url = accepted(vetted);
        if (found.count >= ENDPOINTS_MAXIMUM) throw tooMany();
        const secrets = { current: newSigningSecret(randomBytes), previous: null };
        const sealedSecrets = sealSecrets(secrets, id, key, randomBytes);
        const by = authorizationBy(caller, receivedAt);
        made = newEndpoint(body, { id, url, sealedSecrets, challenge, at: receivedAt, by });
        return [
          ...stores.endpointWriter.create(tenant.tenant_id, made, found, claim),
          stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: id })),
        ];
      },
    );
    if (made === undefined) throw new Error('an endpoint is made or found');
    await sendChallenge(stores.publisher, made, challenge, { tenant, claim, receivedAt });
    return reply(
      201,
      { ...webhookRecord(made, receivedAt), signing_secret: openSecrets(made, key).current },
      { location: `/api/v1/webhooks/${id}` },
    );
  });
});
