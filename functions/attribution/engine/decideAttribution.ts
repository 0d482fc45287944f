import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import type { PredictionTrace } from '../../../schemas/attribution/explanation.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { ADVISORY_CEILING, CHARGEBACK_FLOOR } from '../../../schemas/values.ts';
import { operationalConfidence } from '../../ledger/records/answers.ts';
import type { CallPlace, Infer, MeasuredTrace } from './inference.ts';
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

/** The confidence in an owner from a trace: not higher than it is right, and too low for a charge if it may not be charged. */
const traceConfidence = (confidence: number, measured: MeasuredTrace | null): number =>
  Math.min(confidence, measured?.probability ?? 1, measured?.advisory ? ADVISORY_CEILING : 1);

/**
 * The decision of stage A alone. `measured` is how often an owner from a trace is right, so a trace that is often wrong charges
 * nobody.
 */
export const decideByRules = (
  resolution: Resolution,
  rulesVersion: string,
  measured: MeasuredTrace | null = null,
) => ({
  owner: resolution.owner,
  service: resolution.service,
  state: resolution.basis === 'none' ? ('unresolved' as const) : ('deterministically_resolved' as const),
  stageResult: {
    stage_origin: 'stage_a' as const,
    confidence:
      resolution.basis === 'trace_correlated'
        ? traceConfidence(resolution.confidence, measured)
        : resolution.confidence,
    evidence_basis: resolution.basis,
    model_version: rulesVersion,
    degradation_state: 'none' as const,
  },
});

type Names = Pick<AttributionDecision, 'owner' | 'service'>;

/** Whether a prediction may name what the rules left open. Any other prediction is a suggestion. */
const mayName = (prediction: PredictionTrace): boolean =>
  !prediction.advisory && operationalConfidence(prediction) >= CHARGEBACK_FLOOR;

/** A prediction is one of owner and service together, so it says nothing about a call of which it is wrong about one. */
const agrees = (prediction: Names, named: Names): boolean =>
  (named.owner ?? prediction.owner) === prediction.owner &&
  (named.service ?? prediction.service) === prediction.service;

/**
 * How often an owner that a trace names is right, as the training measured it for the confidence of the rule. Null if no trace
 * named the owner, and before enough is measured. Other records of a call are no trace, and nothing measures them.
 */
export const measuredTrace = ({ rules, owner }: Resolution, infer: Infer): MeasuredTrace | null => {
  const rule = rules.find((one) => one.outcome === 'matched' && one.owner === owner);
  return rule?.rule !== 'trace' || rule.saw['relation'] === 'same_call'
    ? null
    : (infer.traced?.(rule.confidence) ?? null);
};

/**
 * Decides between stage A (rules) and stage B (trained model). Stage B is called only when the rules named no owner or no
 * service. Its prediction fills what is open, and never replaces a name. A prediction below the chargeback floor, or an
 * advisory one, fills nothing and stays a suggestion. The allocation of the period (stage C) can divide a record without
 * an owner.
 */
export const decideAttribution = (
  event: InvocationEvent,
  made: CallPlace,
  resolution: Resolution,
  rulesVersion: string,
  infer: Infer,
  isAgain?: boolean,
): AttributionDecision => {
  const ruleDecision = decideByRules(resolution, rulesVersion, measuredTrace(resolution, infer));
  const { owner, service } = ruleDecision;
  if (owner !== null && service !== null) return { ...ruleDecision, prediction: null };

  const { degradation, prediction } = infer(event, made, isAgain);
  const open = {
    ...ruleDecision,
    stageResult: { ...ruleDecision.stageResult, degradation_state: degradation },
    prediction,
  };
  if (prediction === null || !mayName(prediction) || !agrees(prediction, ruleDecision)) return open;
  const filled = { owner: owner ?? prediction.owner, service: service ?? prediction.service };
  if (ruleDecision.state !== 'unresolved') return { ...open, ...filled };
  return {
    ...filled,
    state: 'strongly_inferred',
    stageResult: {
      stage_origin: 'stage_b',
      confidence: operationalConfidence(prediction),
      evidence_basis: prediction.basis,
      model_version: prediction.model_version,
      degradation_state: degradation,
    },
    prediction,
  };
};
