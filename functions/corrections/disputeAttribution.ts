import { disputeAttribution } from '../../schemas/routes/corrections.ts';
import { operation } from '../http/operation.ts';
import { claimedUlid, idOf } from '../shared/ids.ts';
import { correct } from './correct.ts';
import { disputed } from './dispute.ts';

export default operation(disputeAttribution, (call) => {
  const { body, caller, claim, receivedAt } = call;
  const { reason, proposed_owner: owner, proposed_service: service } = body;
  const by = caller.principal;
  const id = idOf('dsp', caller.tenant.tag, claimedUlid('dispute', claim.claim, receivedAt));
  return correct(call, {
    type: 'attribution.disputed',
    apply: (current, at) => disputed(current, { id, by, reason, owner, service }, at),
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
