import { disputeAttribution } from '../../../schemas/routes/attribution/corrections.ts';
import { operation } from '../../platform/http/operation.ts';
import { deterministicUlid, idOf } from '../../platform/shared/ids.ts';
import { correctRecord } from './correctRecord.ts';
import { disputeCorrection } from './disputeCorrection.ts';

export default operation(disputeAttribution, (call) => {
  const { body, caller, claim, receivedAt } = call;
  const { reason, proposed_owner: owner, proposed_service: service } = body;
  const id = idOf('dsp', caller.tenant.tag, deterministicUlid('dispute', claim.claim, receivedAt));
  return correctRecord(call, disputeCorrection({ id, by: caller.principal, reason, owner, service }));
});
