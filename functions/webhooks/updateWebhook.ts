import { randomBytes } from 'node:crypto';
import { updateWebhook } from '../../schemas/routes/webhooks.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { change } from '../shared/change.ts';
import { orUnavailable } from '../shared/problem.ts';
import { authorizationBy, requireReadable } from './endpoints/authorization.ts';
import { isAuthorizing, patchedEndpoint } from './endpoints/edit.ts';
import type { StoredEndpoint } from './endpoints/endpoint.store.ts';
import { requireAllLanes } from './endpoints/lane.ts';
import { webhookRecord } from './endpoints/record.ts';
import { accepted } from './endpoints/registration.ts';
import { openedChallenge, sendChallenge } from './endpoints/verification.ts';

export default operation(updateWebhook, async (call) => {
  const { parameters, body, caller, receivedAt, claim, occasion, stores } = call;
  requireAllLanes(caller);
  const { tenant } = caller;
  const { url, ...others } = body;
  let result: StoredEndpoint | undefined;

  return orUnavailable(async () => {
    const vetted = url === undefined ? undefined : await stores.vet(url);
    const key = await stores.endpointKey();
    const found = () => stores.endpointWriter.versioned(tenant.tenant_id, parameters['id'] ?? '');
    // Bound to the id that the store has: the one in the path came as its ULID.
    const challengeOf = ({ id }: StoredEndpoint) =>
      openedChallenge(id, { key, random: randomBytes, at: receivedAt });
    await change(claim, found, ({ document: endpoint, revision }, isRetry) => {
      result = endpoint;
      if (isRetry) return null;
      if (isAuthorizing(body)) requireReadable(caller, body.events ?? endpoint.events);
      const patch = { ...others, ...(vetted !== undefined && { url: accepted(vetted) }) };
      result = patchedEndpoint(endpoint, patch, {
        challenge: challengeOf(endpoint),
        at: receivedAt,
        by: authorizationBy(caller, receivedAt),
      });
      return [
        stores.endpointWriter.replace(tenant.tenant_id, result, revision, claim),
        stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: endpoint.id })),
      ];
    });
    if (result === undefined) throw new Error('an endpoint is found');
    await sendChallenge(stores.publisher, result, challengeOf(result), { tenant, claim, receivedAt });
    return reply(200, webhookRecord(result, receivedAt));
  });
});
