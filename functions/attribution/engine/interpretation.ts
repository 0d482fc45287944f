import type { Interpretation } from '../../../schemas/attribution/attributionRecord.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import { CHARGEBACK_FLOOR, CONFIDENCE_CEILING, PROVISIONAL_FLOOR } from '../../../schemas/values.ts';
import type { DecisionCard } from '../../ledger/records/answers.ts';

export const confidenceBandOf = (confidence: number): Interpretation['confidence_band'] => {
  if (confidence >= CHARGEBACK_FLOOR) return 'chargeback_ready';
  return confidence >= PROVISIONAL_FLOOR ? 'provisional' : 'estimated';
};

/** Whether a cost may be charged back: its confidence must reach the floor, and it must be known. */
export const exportEligibilityOf = (
  confidence: number,
  cost: string | null,
): Interpretation['export_eligibility'] => {
  if (confidence < CHARGEBACK_FLOOR) return 'below_floor';
  return cost === null ? 'unpriced' : 'eligible';
};

/** The part of the evidence card that depends on the stage that decided the owner and service. */
export type StageResult = Pick<
  Interpretation,
  'stage_origin' | 'confidence' | 'evidence_basis' | 'model_version' | 'degradation_state'
>;

/**
 * Builds the evidence card of a result, without the answers. `unknown` has a reason for each quantity that is null.
 * A source that reports a call over a day late is stale: totals of that day were read before the call was in them.
 */
export const buildInterpretation = (
  stageResult: StageResult,
  facts: {
    readonly cost: string | null;
    readonly unknown: Interpretation['unknown'];
    readonly occurredAt: number;
    readonly receivedAt: number;
    readonly sameCall?: Interpretation['same_call'];
  },
): DecisionCard => {
  const confidence = Math.min(stageResult.confidence, CONFIDENCE_CEILING);
  return {
    stage_origin: stageResult.stage_origin,
    confidence,
    confidence_band: confidenceBandOf(confidence),
    evidence_basis: stageResult.evidence_basis,
    model_version: stageResult.model_version,
    degradation_state: stageResult.degradation_state,
    freshness: facts.receivedAt - facts.occurredAt > DAY_MS ? 'source_stale' : 'fresh',
    export_eligibility: exportEligibilityOf(confidence, facts.cost),
    ...(facts.unknown !== undefined && { unknown: facts.unknown }),
    ...(facts.sameCall !== undefined && { same_call: facts.sameCall }),
  };
};
