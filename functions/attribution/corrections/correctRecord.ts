import { AttributionDetail } from '../../../schemas/routes/attribution/attribution.ts';
import type { overrideAttribution } from '../../../schemas/routes/attribution/corrections.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import type { Call } from '../../platform/http/operation.ts';
import { type Reply, reply } from '../../platform/http/reply.ts';
import { requireResidency } from '../../platform/tenancy/residency.ts';
import { type Correction, type CorrectionEvent, correctionWrites } from './correctionWrites.ts';

type CorrectionCall = Pick<
  Call<typeof overrideAttribution>,
  'parameters' | 'caller' | 'receivedAt' | 'claim' | 'auditContext' | 'stores'
>;

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
    const { writes, result } = await correctionWrites(
      { ...context, authorize: (previous) => requireResidency(previous, caller) },
      correction,
    );
    const { record, explanation } = result;
    return { writes, result: { ...record, explanation }, resource: record.id };
  });
  return reply(201, detail, { location: `/v1/attribution/${detail.id}` });
};
