import { randomBytes } from 'node:crypto';
import { updateTenant } from '../../schemas/routes/tenant.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { degradationEvent, degradationOf } from '../models/degradation.ts';
import { changeOf } from '../models/serving.ts';
import { channelsAfter } from '../notifications/setting.ts';
import { change } from '../shared/change.ts';
import { orUnavailable } from '../shared/problem.ts';
import { settings } from '../shared/settings.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { changed, settingsOf } from './settings.ts';

export default operation(updateTenant, async ({ body, caller, receivedAt, claim, occasion, stores }) => {
  const { tenant_id: tenantId } = caller.tenant;
  const [serving, withChannels] = await orUnavailable(() =>
    Promise.all([
      stores.serving.serving(tenantId),
      channelsAfter(caller, body.notifications, {
        vet: stores.vet,
        key: stores.endpointKey,
        random: randomBytes,
        sendsMail: settings.NOTIFICATION_SENDER !== undefined,
      }),
    ]),
  );
  let result: Tenant = caller.tenant;

  await orUnavailable(() =>
    change(
      claim,
      () => stores.tenantSettings.tenant(tenantId),
      ({ document: tenant, revision }, isRetry) => {
        result = isRetry ? tenant : withChannels(changed(tenant, body));
        if (isRetry) return null;
        const moved = changeOf(
          degradationOf(tenant, serving),
          degradationOf(result, serving),
          result.stage_b === 'disabled' ? 'inference_disabled' : 'inference_enabled',
          serving?.active ?? null,
        );
        return [
          stores.tenantSettings.putTenant(result, { seen: revision, by: claim }),
          stores.audit.append(tenantId, auditEntry(occasion, { resource: tenantId })),
          ...(moved === null ? [] : [stores.outbox.raise(degradationEvent(tenant, moved, receivedAt))]),
        ];
      },
    ),
  );
  return reply(200, settingsOf(result, serving));
});
