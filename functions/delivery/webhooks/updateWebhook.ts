import { randomBytes } from 'node:crypto';
import { updateWebhook } from '../../../schemas/routes/delivery/webhooks.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { authorizationBy } from '../../platform/tenancy/caller.ts';
import { requireReadable } from './endpoints/authorization.ts';
import { chargeOnce } from './endpoints/challengeLimit.ts';
import type { StoredEndpoint } from './endpoints/endpoint.store.ts';
import { isAuthorizing, patchEndpoint } from './endpoints/endpointChanges.ts';
import { requireAllowedUrl } from './endpoints/requireAllowedUrl.ts';
import { createChallenge, sendChallenge } from './endpoints/sendChallenge.ts';
import { toWebhookRecord } from './endpoints/webhookRecord.ts';

export default operation(updateWebhook, async (call) => {
  const { parameters, body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  const { url, ...others } = body;
  const chargeChallenge = chargeOnce(stores.chargeChallenge);
  let result: StoredEndpoint | undefined;

  const vetted = url === undefined ? undefined : await stores.vet(url);
  const key = await stores.endpointKey();
  const read = () => stores.endpointWriter.versioned(tenant.tenant_id, parameters['id'] ?? '');
  // The seal is bound to the stored id. The id in the path is only a ULID.
  const challengeOf = ({ id }: StoredEndpoint) =>
    createChallenge(id, { key, random: randomBytes, at: receivedAt });
  await updateWithRetry(claim, read, async ({ document: endpoint, revision }, isRetry) => {
    result = endpoint;
    if (isRetry) return null;
    if (isAuthorizing(body)) requireReadable(caller, body.events ?? endpoint.events);
    const allowed = vetted === undefined ? undefined : requireAllowedUrl(vetted, url ?? '');
    const patch = { ...others, ...(allowed !== undefined && { url: allowed }) };
    const challenge = challengeOf(endpoint);
    const by = authorizationBy(caller, receivedAt);
    result = patchEndpoint(endpoint, patch, { challenge, at: receivedAt, by });
    if (result.sealed_challenge === challenge.sealed) await chargeChallenge(tenant.tenant_id, endpoint.id);
    return [
      stores.endpointWriter.replace(tenant.tenant_id, result, revision, claim),
      stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource: endpoint.id })),
    ];
  });
  if (result === undefined) throw new Error('the endpoint was not found');
  await sendChallenge(stores.publisher, result, challengeOf(result), { tenant, claim, receivedAt });
  return reply(200, toWebhookRecord(result, receivedAt));
});
