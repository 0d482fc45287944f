import { randomBytes } from 'node:crypto';
import { rotateWebhookSecret } from '../../schemas/routes/webhooks.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { change } from '../shared/change.ts';
import { orUnavailable } from '../shared/problem.ts';
import { requireReadable } from './endpoints/authorization.ts';
import type { StoredEndpoint } from './endpoints/endpoint.store.ts';
import { requireAllLanes } from './endpoints/lane.ts';
import { webhookRecord } from './endpoints/record.ts';
import { openSecrets, sealSecrets } from './endpoints/seal.ts';
import { newSigningSecret, ROTATION_OVERLAP, rotateSigningSecret } from './endpoints/signature.ts';

export default operation(rotateWebhookSecret, async (call) => {
  const { parameters, body, caller, receivedAt, claim, occasion, stores } = call;
  requireAllLanes(caller);
  const { tenant } = caller;
  const at = new Date(receivedAt).toISOString();
  const overlap = body.overlap_seconds === undefined ? ROTATION_OVERLAP : body.overlap_seconds * 1_000;
  let result: StoredEndpoint | undefined;

  return orUnavailable(async () => {
    const key = await stores.endpointKey();
    await change(
      claim,
      () => stores.endpointWriter.versioned(tenant.tenant_id, parameters['id'] ?? ''),
      ({ document: endpoint, revision }, isRetry) => {
        result = endpoint;
        // Done by an earlier attempt, though a delivery may have written the endpoint since: rotating twice would drop
        // the secret that the receiver knows.
        if (isRetry || (claim.attempt > 1 && endpoint.secret_rotated_at === at)) return null;
        // The secret signs whatever the endpoint is sent: nobody gets it who may not read that.
        requireReadable(caller, endpoint.events);
        const before = openSecrets(endpoint, key);
        const secrets = rotateSigningSecret(before, newSigningSecret(randomBytes), {
          at: receivedAt,
          overlap,
        });
        result = {
          ...endpoint,
          sealed_secrets: sealSecrets(secrets, endpoint.id, key, randomBytes),
          secret_rotated_at: at,
          previous_secret_valid_until: secrets.previous?.valid_until ?? null,
          updated_at: at,
        };
        return [
          stores.endpointWriter.replace(tenant.tenant_id, result, revision, claim),
          stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: endpoint.id })),
        ];
      },
    );
    if (result === undefined) throw new Error('an endpoint is found');
    return reply(200, {
      ...webhookRecord(result, receivedAt),
      signing_secret: openSecrets(result, key).current,
    });
  });
});
