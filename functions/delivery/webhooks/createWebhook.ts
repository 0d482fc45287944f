import { randomBytes } from 'node:crypto';
import { createWebhook } from '../../../schemas/routes/delivery/webhooks.ts';
import { ENDPOINTS_MAXIMUM } from '../../../schemas/webhooks.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { deterministicUlid, idOf } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { authorizationBy } from '../../platform/tenancy/caller.ts';
import { requireReadable } from './endpoints/authorization.ts';
import { chargeOnce } from './endpoints/challengeLimit.ts';
import type { StoredEndpoint } from './endpoints/endpoint.store.ts';
import { newEndpoint } from './endpoints/endpointChanges.ts';
import { requireAllowedUrl } from './endpoints/requireAllowedUrl.ts';
import { sealSecrets, unsealSecrets } from './endpoints/seal.ts';
import { createChallenge, sendChallenge } from './endpoints/sendChallenge.ts';
import { newSigningSecret } from './endpoints/signature.ts';
import { toWebhookRecord } from './endpoints/webhookRecord.ts';

const endpointLimitReached = () =>
  new ProblemError(
    'VALIDATION_FAILED',
    `Webhook endpoint limit reached (${ENDPOINTS_MAXIMUM} per tenant). Delete an endpoint first.`,
    { errors: [{ pointer: '', detail: `a tenant has at most ${ENDPOINTS_MAXIMUM} webhook endpoints` }] },
  );

export default operation(createWebhook, async (call) => {
  const { body, caller, receivedAt, claim, auditContext, stores } = call;
  requireReadable(caller, body.events);
  const { tenant } = caller;
  const id = idOf('whe', tenant.tag, deterministicUlid('webhook', claim.claim, receivedAt));
  const chargeChallenge = chargeOnce(stores.chargeChallenge);
  let endpoint: StoredEndpoint | undefined;
  const audited = () =>
    stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: id }));

  const vetted = await stores.vet(body.url);
  const key = await stores.endpointKey();
  const challenge = createChallenge(id, { key, random: randomBytes, at: receivedAt });
  await updateWithRetry(
    claim,
    () => stores.endpointWriter.find(tenant.tenant_id, id),
    async ({ document: lookup }) => {
      // The id is derived from this call, so an earlier attempt of the call created the endpoint. Checked before the
      // URL and the limit, because either may have changed since that attempt.
      const previous = lookup.current ?? lookup.deleted;
      if (previous !== null) {
        endpoint = previous;
        // Records who receives the secret: this attempt can come from another credential than the first.
        return [audited()];
      }
      const url = requireAllowedUrl(vetted, body.url);
      if (lookup.head.count >= ENDPOINTS_MAXIMUM) throw endpointLimitReached();
      await chargeChallenge(tenant.tenant_id, id);
      const secrets = { current: newSigningSecret(randomBytes), previous: null };
      const sealedSecrets = sealSecrets(secrets, id, key, randomBytes);
      const by = authorizationBy(caller, receivedAt);
      endpoint = newEndpoint(body, { id, url, sealedSecrets, challenge, at: receivedAt, by });
      return [...stores.endpointWriter.create(tenant.tenant_id, endpoint, lookup, claim), audited()];
    },
  );
  if (endpoint === undefined) throw new Error('no endpoint was created or found');
  await sendChallenge(stores.publisher, endpoint, challenge, { tenant, claim, receivedAt });
  return reply(
    201,
    { ...toWebhookRecord(endpoint, receivedAt), signing_secret: unsealSecrets(endpoint, key).current },
    { location: `/api/v1/webhooks/${id}` },
  );
});
