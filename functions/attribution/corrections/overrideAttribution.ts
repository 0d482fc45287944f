import { overrideAttribution } from '../../../schemas/routes/attribution/corrections.ts';
import { operation } from '../../platform/http/operation.ts';
import { deterministicUlid, idOf } from '../../platform/shared/ids.ts';
import { applyOverride } from './applyOverride.ts';
import { correctRecord } from './correctRecord.ts';

export default operation(overrideAttribution, (call) => {
  const { body, caller, claim, receivedAt } = call;
  const { owner, service, reason } = body;
  const by = caller.principal;
  const id = idOf('ovr', caller.tenant.tag, deterministicUlid('override', claim.claim, receivedAt));
  return correctRecord(call, {
    apply: (current, at) => applyOverride(current, { id, by, reason, owner, service }, at),
    event: {
      type: 'attribution.override.applied',
      data: (corrected, before) => ({
        attribution_id: corrected.id,
        invocation_id: corrected.invocation_id,
        version: corrected.version,
        owner: corrected.owner,
        service: corrected.service,
        previous: { owner: before.owner, service: before.service },
        override_id: id,
        dispute_id: before.dispute?.status === 'open' ? before.dispute.id : null,
        by,
        reason,
      }),
    },
  });
});
