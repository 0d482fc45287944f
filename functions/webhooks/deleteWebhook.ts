import { deleteWebhook } from '../../schemas/routes/webhooks.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { change } from '../shared/change.ts';
import { orUnavailable } from '../shared/problem.ts';
import { existing } from './endpoints/existing.ts';
import { requireAllLanes } from './endpoints/lane.ts';

export default operation(deleteWebhook, async (call) => {
  const { parameters, caller, receivedAt, claim, occasion, stores } = call;
  requireAllLanes(caller);
  const { tenant } = caller;

  await orUnavailable(() =>
    change(
      claim,
      () => stores.endpointWriter.find(tenant.tenant_id, parameters['id'] ?? ''),
      ({ document: found }, isRetry) => {
        if (found.endpoint === null && isRetry) return null;
        const endpoint = existing(found.endpoint);
        return [
          ...stores.endpointWriter.remove(tenant.tenant_id, endpoint, found, { by: claim, now: receivedAt }),
          stores.audit.append(tenant.tenant_id, auditEntry(occasion, { resource: endpoint.id })),
        ];
      },
    ),
  );
  return reply(204, undefined);
});
