import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { AttributionDetail } from '../../../schemas/routes/attribution/attribution.ts';
import type { overrideAttribution } from '../../../schemas/routes/attribution/corrections.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { mayCorrect, partyOf } from '../../ledger/records/dedup/statementPolicy.ts';
import { provenanceOf } from '../../ledger/records/provenance.ts';
import type { Call } from '../../platform/http/operation.ts';
import { type Reply, reply } from '../../platform/http/reply.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { timeOfUlid } from '../../platform/shared/ulid.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { requireResidency } from '../../platform/tenancy/residency.ts';
import { type Correction, type CorrectionEvent, correctionWrites } from './correctionWrites.ts';

type CorrectionCall = Pick<
  Call<typeof overrideAttribution>,
  'parameters' | 'caller' | 'receivedAt' | 'claim' | 'auditContext' | 'stores'
>;

const requireCorrectable = (record: AttributionRecord, caller: Caller): void => {
  if (!mayCorrect(partyOf(provenanceOf(caller)))) {
    throw new ProblemError('INSUFFICIENT_SCOPE', 'A connector of a partner corrects no record.');
  }
  requireResidency(record, caller);
};

/** What a correction can change. */
export const correctable = ({ owner, service, output_state, cost_usd, dispute }: AttributionRecord) => ({
  owner,
  service,
  output_state,
  cost_usd,
  dispute,
});

/**
 * Corrects the record that a call names. Responds with its new version. Throws NOT_FOUND, RESIDENCY_BLOCKED, or
 * SERVICE_UNAVAILABLE after too many conflicts.
 */
export const correctRecord = async <Type extends CorrectionEvent>(
  call: CorrectionCall,
  correction: Correction<Type>,
): Promise<Reply> => {
  const { parameters, caller, receivedAt, claim, stores } = call;
  const context = { tenant: caller.tenant, ulid: parameters['id'] ?? '', receivedAt, claim, stores };
  const { result: detail } = await changeOnce(call, AttributionDetail, async () => {
    const { writes, result, before } = await correctionWrites(
      { ...context, authorize: (previous) => requireCorrectable(previous, caller) },
      correction,
    );
    const { record, explanation } = result;
    return {
      writes,
      result: { ...record, explanation },
      resource: record.id,
      before: correctable(before),
      after: correctable(record),
    };
  });
  // A write can take longer than the message before it waits, which then saw the version before.
  await stores.mark(context.tenant.tenant_id, [timeOfUlid(context.ulid)]);
  return reply(201, detail, { location: `/v1/attribution/${detail.id}` });
};
