import type { ExclusionReason } from '../../../../schemas/chargeback/focus.ts';
import { CHARGEBACK_FLOOR } from '../../../../schemas/values.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import { isInLane } from '../../../platform/tenancy/residency.ts';

/** Which records an export may include. */
export interface AdmissionPolicy {
  /** The residency lane of the caller; null: all lanes. */
  readonly lane: string | null;
}

/**
 * Why a record is excluded; null when it is exported. The lane is checked first, so that a record of another lane discloses
 * no other reason. The chargeback floor is also checked against the confidence itself, in case the stored eligibility
 * contradicts it.
 */
export const exclusionOf = (
  { record, explanation }: Attribution,
  { lane }: AdmissionPolicy,
): ExclusionReason | null => {
  const { export_eligibility: eligibility, confidence } = record.interpretation;
  if (!isInLane(record.residency, lane) || eligibility === 'residency_excluded') return 'residency_excluded';
  const isAboveFloor = confidence >= CHARGEBACK_FLOOR && eligibility !== 'below_floor';
  if (!isAboveFloor) return 'below_floor';
  if (record.cost_usd === null || explanation.cost === null || eligibility === 'unpriced') return 'unpriced';
  // A structural span only groups other calls. Those calls carry the cost.
  return explanation.cost.source === 'structure' ? 'structural' : null;
};
