import { disputeAttribution } from '../../schemas/routes/attribution/corrections.ts';
import { operation } from '../http/operation.ts';
import { deterministicUlid, idOf } from '../shared/ids.ts';
import { correctRecord } from './correctRecord.ts';
import { openDispute } from './openDispute.ts';

export default operation(disputeAttribution, (call) => {
  const { body, caller, claim, receivedAt } = call;
  const { reason, proposed_owner: owner, proposed_service: service } = body;
  const by = caller.principal;
  const id = idOf('dsp', caller.tenant.tag, deterministicUlid('dispute', claim.claim, receivedAt));
  return correctRecord(call, {
    type: 'attribution.disputed',
    apply: (current, at) => openDispute(current, { id, by, reason, owner, service }, at),
    data: (corrected) => ({
      attribution_id: corrected.id,
      invocation_id: corrected.invocation_id,
      version: corrected.version,
      owner: corrected.owner,
      service: corrected.service,
      dispute_id: id,
      proposed_owner: owner ?? null,
      proposed_service: service ?? null,
      by,
      reason,
    }),
  });
});
