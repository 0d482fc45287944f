import {
  type AttributionDetail,
  getAttribution,
} from '../../../../schemas/routes/attribution/attribution.ts';
import { recordPartitionOf } from '../../../ledger/records/ledgerKey.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { requireResidency } from '../../../platform/tenancy/residency.ts';
import { readNameChanges } from '../recordVersions.ts';
import { withFreshness } from './recordFreshness.ts';

export default operation(getAttribution, async ({ parameters, caller, stores }) => {
  const { tenant } = caller;
  const ulid = parameters['id'] ?? '';
  const [attribution, isStale] = await Promise.all([
    stores.ledger.newest(tenant.tenant_id, recordPartitionOf(tenant, ulid), ulid),
    stores.indexLag.areRecordsStale(tenant.tenant_id),
  ]);
  if (attribution === null) throw new ProblemError('NOT_FOUND', 'Attribution record not found.');
  requireResidency(attribution.record, caller);
  const invocation = ulidInId(attribution.record.invocation_id);
  const [rejected, history] = await Promise.all([
    stores.claims.rejectedStatements(tenant.tenant_id, invocation),
    attribution.record.version === 1 ? undefined : readNameChanges(stores.ledger, tenant, ulid),
  ]);
  const detail: AttributionDetail = {
    ...withFreshness(attribution.record, isStale),
    explanation: {
      ...attribution.explanation,
      ...(rejected.length > 0 && { rejected_statements: rejected }),
      ...(history !== undefined && { history }),
    },
  };
  return reply(200, detail);
});
