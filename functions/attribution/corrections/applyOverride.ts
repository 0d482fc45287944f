import { type Explanation, OVERRIDES_MAXIMUM } from '../../../schemas/attribution/explanation.ts';
import { CONFIDENCE_CEILING } from '../../../schemas/values.ts';
import { type DecidedRecord, withAnswers } from '../../ledger/records/answers.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { confidenceBandOf, exportEligibilityOf } from '../engine/interpretation.ts';

/** A manual override. An undefined owner or service stays unchanged. */
export interface Override {
  readonly id: string;
  readonly by: string;
  readonly reason: string;
  readonly owner: string | undefined;
  readonly service: string | undefined;
}

/**
 * The next version of a record with the override applied, valid from `at` (epoch milliseconds). An override does not
 * depend on a model, so the evidence card shows no degradation. Quantities, prices and rule results stay unchanged. The
 * answer that it does not name keeps its evidence. An open dispute is resolved.
 */
export const applyOverride = (
  { record, explanation, storedEvent }: Attribution,
  override: Override,
  at: number,
): Attribution => {
  const previous = { owner: record.owner, service: record.service };
  const owner = override.owner ?? record.owner;
  const service = override.service ?? record.service;
  const instant = toIso(at);
  const { id, by, reason } = override;
  const { overrides = [], allocation, ...retained } = explanation;
  const { dispute } = record;
  const named = (['owner', 'service'] as const).filter((member) => override[member] !== undefined);
  const overridden: Explanation = {
    ...retained,
    // A record with an owner is not allocated.
    ...(owner === null && allocation !== undefined && { allocation }),
    overrides: [...overrides, { id, by, at: instant, reason, owner, service, previous, named }].slice(
      -OVERRIDES_MAXIMUM,
    ),
  };
  const corrected: DecidedRecord = {
    ...record,
    version: record.version + 1,
    as_of: instant,
    owner,
    service,
    output_state: 'manually_overridden',
    coper: CONFIDENCE_CEILING,
    interpretation: {
      ...record.interpretation,
      stage_origin: 'stage_a',
      confidence: CONFIDENCE_CEILING,
      confidence_band: confidenceBandOf(CONFIDENCE_CEILING),
      evidence_basis: 'manual_override',
      model_version: explanation.rules_version,
      degradation_state: 'none',
      export_eligibility: exportEligibilityOf(CONFIDENCE_CEILING, record.cost_usd),
    },
    ...(dispute?.status === 'open' && {
      dispute: { ...dispute, status: 'resolved', resolved_at: instant },
    }),
  };
  return { record: withAnswers(corrected, overridden), explanation: overridden, storedEvent };
};
