import { OVERRIDES_MAXIMUM } from '../../schemas/attribution/explanation.ts';
import { CONFIDENCE_CEILING } from '../../schemas/values.ts';
import { confidenceBandOf, exportEligibilityOf } from '../attribution/interpretation.ts';
import type { Attribution } from '../ledger/attribution.ts';

/** Whom a person names; what is undefined stays as it is. */
export interface Override {
  readonly id: string;
  readonly by: string;
  readonly reason: string;
  readonly owner: string | undefined;
  readonly service: string | undefined;
}

/**
 * A record as a person says it is, from `at` (epoch milliseconds) on. What a person has decided rests on no model, so
 * nothing that happened to one is left on the card; what was measured, priced or judged by rules stays as it was.
 */
export const applyOverride = (
  { record, explanation, storedEvent }: Attribution,
  override: Override,
  at: number,
): Attribution => {
  const previous = { owner: record.owner, service: record.service };
  const owner = override.owner ?? record.owner;
  const service = override.service ?? record.service;
  const instant = new Date(at).toISOString();
  const { id, by, reason } = override;
  // What somebody is named for is no longer shared out.
  const { overrides = [], allocation: _ended, ...retained } = explanation;
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
