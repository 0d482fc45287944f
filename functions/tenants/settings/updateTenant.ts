import { randomBytes } from 'node:crypto';
import { updateTenant } from '../../../schemas/routes/tenants/tenant.ts';
import { degradationEvent, degradationOf } from '../../attribution/training/models/degradation.ts';
import { degradationChangeOf } from '../../attribution/training/models/servingState.ts';
import { prepareChannelsChange } from '../../delivery/notifications/channelChanges.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { settings } from '../../platform/shared/settings.ts';
import { authorizationBy } from '../../platform/tenancy/caller.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { applyTenantChange, toTenantSettings } from './tenantSettings.ts';

export default operation(updateTenant, async ({ body, caller, receivedAt, claim, auditContext, stores }) => {
  const { tenant_id: tenantId } = caller.tenant;
  const [serving, withChannels] = await Promise.all([
    stores.serving.serving(tenantId),
    prepareChannelsChange(caller, body.notifications, {
      vet: stores.vet,
      key: stores.endpointKey,
      random: randomBytes,
      by: authorizationBy(caller, receivedAt),
      sendsMail: settings.NOTIFICATION_SENDER !== undefined,
    }),
  ]);
  let result: Tenant = caller.tenant;

  await updateWithRetry(
    claim,
    () => stores.tenantSettings.tenant(tenantId),
    ({ document: tenant, revision }, isRetry) => {
      result = isRetry ? tenant : withChannels(applyTenantChange(tenant, body, receivedAt));
      if (isRetry) return null;
      const degradationChange = degradationChangeOf(
        degradationOf(tenant, serving),
        degradationOf(result, serving),
        result.stage_b === 'disabled' ? 'inference_disabled' : 'inference_enabled',
        serving?.active ?? null,
      );
      return [
        stores.tenantSettings.putTenant(result, { expectedRevision: revision, by: claim }),
        stores.audit.append(tenantId, buildAuditEntry(auditContext, { resource: tenantId })),
        ...(degradationChange === null
          ? []
          : [stores.outbox.raise(degradationEvent(tenant, degradationChange, receivedAt))]),
      ];
    },
  );
  return reply(200, toTenantSettings(result, serving));
});
