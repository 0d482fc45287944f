import { isDeepStrictEqual } from 'node:util';
import type { AllocationShares } from '../../../schemas/attribution/allocation.ts';
import type { AllocationTrace } from '../../../schemas/attribution/explanation.ts';
import { ALLOCATION_CONFIDENCE } from '../../../schemas/values.ts';
import { type DecisionCard, withAnswers } from '../../ledger/records/answers.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { confidenceBandOf, exportEligibilityOf } from '../engine/interpretation.ts';
import { allocate } from './allocate.ts';

/** Whether the owner of a record is open, so that its cost can be allocated. */
export const isAllocable = ({ record }: Attribution): boolean => record.owner === null;

/** The card of a record of which nothing is named. A service that is named keeps its evidence and its confidence. */
const allocatedCard = (card: DecisionCard, cost: string | null, version: string): DecisionCard => ({
  ...card,
  stage_origin: 'stage_c',
  confidence: ALLOCATION_CONFIDENCE,
  confidence_band: confidenceBandOf(ALLOCATION_CONFIDENCE),
  evidence_basis: 'allocation_rule',
  model_version: version,
  export_eligibility: exportEligibilityOf(ALLOCATION_CONFIDENCE, cost),
});

/**
 * The next version of a record without an owner, allocated by `shares`, valid from `at` (epoch milliseconds). Null when the
 * record has an owner by now, when there are no shares, or when it is already allocated by the same shares.
 */
export const allocateRecord = (
  current: Attribution,
  shares: AllocationShares,
  window: AllocationTrace['window'],
  at: number,
): Attribution | null => {
  const { record, explanation, storedEvent } = current;
  if (!isAllocable(current) || shares.entries.length === 0) return null;
  const { cost_usd, energy_wh, carbon_gco2e } = record;
  const parts = allocate({ cost_usd, energy_wh, carbon_gco2e }, shares);
  const allocation: AllocationTrace = {
    version: shares.version,
    method: shares.method,
    window,
    parts: parts.map((part) => ({ ...part })),
  };
  if (isDeepStrictEqual(explanation.allocation, allocation)) return null;
  const isNothingNamed = record.output_state === 'unresolved' || record.output_state === 'allocated';
  const allocated = { ...explanation, allocation };
  const next = {
    ...record,
    version: record.version + 1,
    as_of: toIso(at),
    ...(isNothingNamed && {
      output_state: 'allocated' as const,
      coper: ALLOCATION_CONFIDENCE,
      interpretation: allocatedCard(record.interpretation, cost_usd, shares.version),
    }),
  };
  return { record: withAnswers(next, allocated), explanation: allocated, storedEvent };
};
