import type { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import type { PredictionTrace } from '../../schemas/attribution/explanation.ts';
import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import { CHARGEBACK_FLOOR } from '../../schemas/values.ts';
import { type Infer, operationalConfidence } from './inference.ts';
import type { StageResult } from './interpretation.ts';
import type { Resolution } from './rules/resolution.ts';

/** Whom a record names, by which stage, and what the trained stage said where it was asked. */
export interface AttributionDecision {
  readonly owner: string | null;
  readonly service: string | null;
  readonly state: AttributionRecord['output_state'];
  readonly verdict: StageResult;
  readonly prediction: PredictionTrace | null;
}

/**
 * The rules first; the trained stage only where they name nobody, or name a provider key and nothing else. Its answer
 * counts where it is surer than theirs. What neither can say stays unresolved, for the allocation of the period.
 */
export const decideAttribution = (
  event: InvocationEvent,
  occurredAt: number,
  resolution: Resolution,
  rulesVersion: string,
  infer: Infer,
): AttributionDecision => {
  const isResolved = resolution.basis !== 'none';
  const ruleDecision = {
    owner: resolution.owner,
    service: resolution.service,
    state: isResolved ? ('deterministically_resolved' as const) : ('unresolved' as const),
    verdict: {
      stage_origin: 'stage_a' as const,
      confidence: resolution.confidence,
      evidence_basis: resolution.basis,
      model_version: rulesVersion,
      degradation_state: 'none' as const,
    },
  };
  if (isResolved && !resolution.isWeak) return { ...ruleDecision, prediction: null };

  const { degradation, prediction } = infer(event, occurredAt);
  const confidence = prediction === null ? 0 : operationalConfidence(prediction);
  if (prediction === null || confidence <= resolution.confidence) {
    return {
      ...ruleDecision,
      verdict: { ...ruleDecision.verdict, degradation_state: degradation },
      prediction,
    };
  }
  return {
    owner: prediction.owner,
    service: prediction.service,
    state: confidence >= CHARGEBACK_FLOOR ? 'strongly_inferred' : 'weakly_inferred',
    verdict: {
      stage_origin: 'stage_b',
      confidence,
      evidence_basis: prediction.basis,
      model_version: prediction.model_version,
      degradation_state: degradation,
    },
    prediction,
  };
};
