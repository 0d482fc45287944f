import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import type { PredictionTrace } from '../../../schemas/attribution/explanation.ts';
import type { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import { CHARGEBACK_FLOOR } from '../../../schemas/values.ts';
import { type Infer, operationalConfidence } from './inference.ts';
import type { StageResult } from './interpretation.ts';
import type { Resolution } from './rules/resolution.ts';

/** The owner and service of a record, the stage that decided, and the prediction of stage B if it was called. */
export interface AttributionDecision {
  readonly owner: string | null;
  readonly service: string | null;
  readonly state: AttributionRecord['output_state'];
  readonly stageResult: StageResult;
  readonly prediction: PredictionTrace | null;
}

/** The decision of stage A alone. */
export const decideByRules = (resolution: Resolution, rulesVersion: string) => ({
  owner: resolution.owner,
  service: resolution.service,
  state: resolution.basis === 'none' ? ('unresolved' as const) : ('deterministically_resolved' as const),
  stageResult: {
    stage_origin: 'stage_a' as const,
    confidence: resolution.confidence,
    evidence_basis: resolution.basis,
    model_version: rulesVersion,
    degradation_state: 'none' as const,
  },
});

/**
 * Decides between stage A (rules) and stage B (trained model). Stage B is called only when the rules have no result, or
 * only the name of a provider key. Its prediction is used only if its confidence is higher than that of the rules. If
 * neither has a result, the record is unresolved, and the allocation of the period (stage C) can divide it.
 */
export const decideAttribution = (
  event: InvocationEvent,
  occurredAt: number,
  resolution: Resolution,
  rulesVersion: string,
  infer: Infer,
): AttributionDecision => {
  const ruleDecision = decideByRules(resolution, rulesVersion);
  if (ruleDecision.state !== 'unresolved' && !resolution.isWeak) return { ...ruleDecision, prediction: null };

  const { degradation, prediction } = infer(event, occurredAt);
  const confidence = prediction === null ? 0 : operationalConfidence(prediction);
  if (prediction === null || confidence <= resolution.confidence) {
    return {
      ...ruleDecision,
      stageResult: { ...ruleDecision.stageResult, degradation_state: degradation },
      prediction,
    };
  }
  return {
    owner: prediction.owner,
    service: prediction.service,
    state: confidence >= CHARGEBACK_FLOOR ? 'strongly_inferred' : 'weakly_inferred',
    stageResult: {
      stage_origin: 'stage_b',
      confidence,
      evidence_basis: prediction.basis,
      model_version: prediction.model_version,
      degradation_state: degradation,
    },
    prediction,
  };
};
