import type { Interpretation } from '../../schemas/attribution/attributionRecord.ts';
import type { PredictionTrace } from '../../schemas/attribution/explanation.ts';
import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import { CHARGEBACK_FLOOR, CONFIDENCE_CEILING } from '../../schemas/values.ts';

export type DegradationState = Interpretation['degradation_state'];

/** What stage B answers: how it was served, and what it thinks, if anything. */
export interface Inference {
  readonly degradation: DegradationState;
  readonly prediction: PredictionTrace | null;
}

/** Asks stage B about a call made at `occurredAt` (epoch milliseconds). Never throws and never waits. */
export type Infer = (event: InvocationEvent, occurredAt: number) => Inference;

/** Where a tenant has no stage B, or none is wanted. */
export const noInference: Infer = () => ({ degradation: 'none', prediction: null });

/** The most that an advisory result is worth: just below what may be charged. */
const ADVISORY_CEILING = CHARGEBACK_FLOOR - 0.01;

/** The confidence a record may claim on the strength of a prediction. */
export const operationalConfidence = ({ confidence, advisory }: PredictionTrace): number =>
  Math.min(confidence, advisory ? ADVISORY_CEILING : CONFIDENCE_CEILING);
