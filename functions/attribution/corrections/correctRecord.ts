import type { AttributionDetail } from '../../../schemas/routes/attribution/attribution.ts';
import type { overrideAttribution } from '../../../schemas/routes/attribution/corrections.ts';
import type { Call } from '../../platform/http/operation.ts';
import { type Reply, reply } from '../../platform/http/reply.ts';
import { requireResidency } from '../../platform/tenancy/residency.ts';
import { type Correction, type CorrectionEvent, writeCorrection } from './writeCorrection.ts';

type CorrectionCall = Pick<
  Call<typeof overrideAttribution>,
  'parameters' | 'caller' | 'receivedAt' | 'claim' | 'auditContext' | 'stores'
>;

/**
 * Corrects the record that a call names. Responds with its new version. Throws NOT_FOUND, RESIDENCY_BLOCKED, or
 * SERVICE_UNAVAILABLE after too many conflicts.
 */
export const correctRecord = async <Type extends CorrectionEvent>(
  { parameters, caller, receivedAt, claim, auditContext, stores }: CorrectionCall,
  correction: Correction<Type>,
): Promise<Reply> => {
  const { record, explanation } = await writeCorrection(
    {
      tenant: caller.tenant,
      ulid: parameters['id'] ?? '',
      receivedAt,
      claim,
      auditContext,
      stores,
      authorize: (previous) => requireResidency(previous, caller),
    },
    correction,
  );
  const detail: AttributionDetail = { ...record, explanation };
  return reply(201, detail, { location: `/v1/attribution/${detail.id}` });
};
