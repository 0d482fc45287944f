import { randomBytes } from 'node:crypto';
import { rotateWebhookSecret } from '../../../schemas/routes/delivery/webhooks.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { requireReadable } from './endpoints/authorization.ts';
import type { StoredEndpoint } from './endpoints/endpoint.store.ts';
import { sealSecrets, unsealSecrets } from './endpoints/seal.ts';
import { newSigningSecret, ROTATION_OVERLAP, rotateSigningSecret } from './endpoints/signature.ts';
import { toWebhookRecord } from './endpoints/webhookRecord.ts';

export default operation(rotateWebhookSecret, async (call) => {
  const { parameters, body, caller, receivedAt, claim, auditContext, stores } = call;
  const { tenant } = caller;
  const at = toIso(receivedAt);
  const overlap = body.overlap_seconds === undefined ? ROTATION_OVERLAP : body.overlap_seconds * 1_000;
  let result: StoredEndpoint | undefined;
  const audited = (resource: string) =>
    stores.audit.append(tenant.tenant_id, buildAuditEntry(auditContext, { resource }));

  const key = await stores.endpointKey();
  await updateWithRetry(
    claim,
    () => stores.endpointWriter.versioned(tenant.tenant_id, parameters['id'] ?? ''),
    ({ document: endpoint, revision }, isRetry) => {
      result = endpoint;
      // The response contains the signing secret, so the caller must be able to read the events it signs. A retry can
      // come from another credential than the first attempt, so it is checked and audited too.
      requireReadable(caller, endpoint.events);
      // An earlier attempt may have rotated the secret even if a delivery has written the endpoint since. A second
      // rotation would drop the secret that the receiver knows.
      if (isRetry || (claim.attempt > 1 && endpoint.secret_rotated_at === at)) return [audited(endpoint.id)];
      const before = unsealSecrets(endpoint, key);
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
      return [stores.endpointWriter.replace(tenant.tenant_id, result, revision, claim), audited(endpoint.id)];
    },
  );
  if (result === undefined) throw new Error('the endpoint was not found');
  return reply(200, {
    ...toWebhookRecord(result, receivedAt),
    signing_secret: unsealSecrets(result, key).current,
  });
});
