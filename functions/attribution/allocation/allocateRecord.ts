import type { AllocationShares } from '../../../schemas/attribution/allocation.ts';
import type { AllocationTrace } from '../../../schemas/attribution/explanation.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { confidenceBandOf, exportEligibilityOf } from '../engine/interpretation.ts';
import { allocate } from './allocate.ts';

/**
 * Confidence of an allocated record (our estimate). Below the chargeback floor: an allocation is no evidence about one call.
 */
const ALLOCATION_CONFIDENCE = 0.3;

/** Whether a record has no owner from evidence or an override, so that it can be allocated. */
export const isAllocable = ({ record }: Attribution): boolean =>
  record.output_state === 'unresolved' || record.output_state === 'allocated';

/**
 * The next version of an unresolved record, allocated by `shares`, valid from `at` (epoch milliseconds). Null when the
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
  if (explanation.allocation?.version === shares.version) return null;
  const { cost_usd, energy_wh, carbon_gco2e } = record;
  const parts = allocate({ cost_usd, energy_wh, carbon_gco2e }, shares);
  const allocation: AllocationTrace = {
    version: shares.version,
    method: shares.method,
    window,
    parts: parts.map((part) => ({ ...part })),
  };
  return {
    record: {
      ...record,
      version: record.version + 1,
      as_of: toIso(at),
      output_state: 'allocated',
      coper: ALLOCATION_CONFIDENCE,
      interpretation: {
        ...record.interpretation,
        stage_origin: 'stage_c',
        confidence: ALLOCATION_CONFIDENCE,
        confidence_band: confidenceBandOf(ALLOCATION_CONFIDENCE),
        evidence_basis: 'allocation_rule',
        model_version: shares.version,
        export_eligibility: exportEligibilityOf(ALLOCATION_CONFIDENCE, cost_usd),
      },
    },
    explanation: { ...explanation, allocation },
    storedEvent,
  };
};
