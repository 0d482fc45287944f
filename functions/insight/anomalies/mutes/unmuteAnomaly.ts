import * as z from 'zod';
import { unmuteAnomaly } from '../../../../schemas/routes/insight/anomalies.ts';
import { changeOnce } from '../../../identity/audit/changeOnce.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { mutedUntil, withoutMute } from './mutes.ts';
import { requireAnomaly } from './requireAnomaly.ts';

export default operation(unmuteAnomaly, async (call) => {
  const { parameters, caller, receivedAt, claim, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;

  await changeOnce(call, z.null(), async () => {
    const anomaly = await requireAnomaly(stores.findings, caller, parameters['id'] ?? '');
    const { document, revision } = await stores.mutes.find(tenantId);
    if (mutedUntil(document, anomaly, receivedAt) === null) {
      return { writes: [], result: null, resource: null };
    }
    const muted = withoutMute(document, anomaly, receivedAt);
    return {
      writes: [stores.mutes.put(tenantId, muted, revision, claim)],
      result: null,
      resource: anomaly.id,
      before: document,
      after: muted,
    };
  });
  return reply(204, undefined);
});
