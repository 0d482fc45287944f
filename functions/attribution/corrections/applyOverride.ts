import { OVERRIDES_MAXIMUM } from '../../../schemas/attribution/explanation.ts';
import { CONFIDENCE_CEILING } from '../../../schemas/values.ts';
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
 * depend on a model, so the evidence card shows no degradation. Quantities, prices and rule results stay unchanged. An
 * open dispute is resolved.
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
  // A record with an owner is not allocated.
  const { overrides = [], allocation: _allocation, ...retained } = explanation;
  const { dispute } = record;
  return {
    record: {
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
    },
    explanation: {
      ...retained,
      overrides: [...overrides, { id, by, at: instant, reason, owner, service, previous }].slice(
        -OVERRIDES_MAXIMUM,
      ),
    },
    storedEvent,
  };
};
