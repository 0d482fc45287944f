import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { updateTenant } from '../../../schemas/routes/tenants/tenant.ts';
import { degradationEvent, degradationOf } from '../../attribution/training/models/degradation.ts';
import { degradationChangeOf, ServingState } from '../../attribution/training/models/servingState.ts';
import { prepareChannelsChange } from '../../delivery/notifications/channels/channelChanges.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { settings } from '../../platform/shared/settings.ts';
import { authorizationBy } from '../../platform/tenancy/caller.ts';
import { Tenant } from '../../platform/tenancy/tenant.ts';
import { applyTenantChange, toTenantSettings } from './tenantSettings.ts';

/** A tenant and its serving state, from which its settings follow. */
const TenantState = z.object({ tenant: Tenant, serving: ServingState.nullable() });

export default operation(updateTenant, async (call) => {
  const { body, caller, receivedAt, claim, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;
  const { result } = await changeOnce(call, TenantState, async () => {
    const serving = await stores.serving.serving(tenantId);
    const withChannels = await prepareChannelsChange(caller, body.notifications, {
      vet: stores.vet,
      key: stores.endpointKey,
      random: randomBytes,
      by: authorizationBy(caller, receivedAt),
      sendsMail: settings.NOTIFICATION_SENDER !== undefined,
    });
    const found = await stores.tenantSettings.tenant(tenantId);
    if (found === null) throw new ProblemError('NOT_FOUND', 'There is no such tenant.');
    const { document: before, revision } = found;
    const tenant = withChannels(applyTenantChange(before, body, receivedAt));
    const degradationChange = degradationChangeOf(
      degradationOf(before, serving),
      degradationOf(tenant, serving),
      tenant.stage_b === 'disabled' ? 'inference_disabled' : 'inference_enabled',
      serving?.active ?? null,
    );
    return {
      writes: [
        stores.tenantSettings.putTenant(tenant, { expectedRevision: revision, by: claim }),
        ...(degradationChange === null
          ? []
          : [stores.outbox.raise(degradationEvent(before, degradationChange, receivedAt))]),
      ],
      result: { tenant, serving },
      resource: tenantId,
      before,
      after: tenant,
    };
  });
  return reply(200, toTenantSettings(result.tenant, result.serving));
});
