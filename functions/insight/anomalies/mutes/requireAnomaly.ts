import type { Anomaly } from '../../../../schemas/insight/anomalies.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';
import { requireResidency } from '../../../platform/tenancy/residency.ts';
import type { FindingReader } from '../anomaly.store.ts';

/** The anomaly with this ULID. Throws NOT_FOUND, or RESIDENCY_BLOCKED if it is in another lane than the credential. */
export const requireAnomaly = async (
  findings: Pick<FindingReader, 'finding'>,
  caller: Caller,
  ulid: string,
): Promise<Anomaly> => {
  const anomaly = await findings.finding(caller.tenant.tenant_id, ulid);
  if (anomaly === null) throw new ProblemError('NOT_FOUND', 'There is no anomaly with this id.');
  requireResidency(anomaly, caller);
  return anomaly;
};
