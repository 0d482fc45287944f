import type { ExclusionReason } from '../../../schemas/focus.ts';
import { CHARGEBACK_FLOOR } from '../../../schemas/values.ts';
import type { Attribution } from '../../ledger/attribution.ts';
import { isInLane } from '../../tenancy/residency.ts';

/** What an export may hold. */
export interface AdmissionPolicy {
  /** The residency lane of whoever asked; null sees all. */
  readonly lane: string | null;
  /**
   * Whether records nobody was named for come by who bears them. They lie below the chargeback floor, so this is for a
   * showback alone and only for somebody who asked for it.
   */
  readonly split: boolean;
}

/**
 * Why a record is not exported; null where it is. The lane comes first, so that nothing else is told of a record in
 * another. The floor is asked of the confidence itself as well: a card that contradicts it must not be charged on.
 */
export const exclusionOf = (
  { record, explanation }: Attribution,
  { lane, split }: AdmissionPolicy,
): ExclusionReason | null => {
  const { export_eligibility: eligibility, confidence } = record.interpretation;
  if (!isInLane(record, lane) || eligibility === 'residency_excluded') return 'residency_excluded';
  const isSplit = split && record.output_state === 'allocated' && explanation.allocation !== undefined;
  const isSure = confidence >= CHARGEBACK_FLOOR && eligibility !== 'below_floor';
  if (!isSure && !isSplit) return 'below_floor';
  if (record.cost_usd === null || explanation.cost === null || eligibility === 'unpriced') return 'unpriced';
  // What only holds other calls together is priced at those, and is no charge.
  return explanation.cost.source === 'structure' ? 'structural' : null;
};
