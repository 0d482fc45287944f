import type { Interpretation } from '../../../schemas/attribution/attributionRecord.ts';
import type { PredictionTrace } from '../../../schemas/attribution/explanation.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';

export type DegradationState = Interpretation['degradation_state'];

/** Result of stage B: how it was served, and its prediction; null when it has none. */
export interface Inference {
  readonly degradation: DegradationState;
  readonly prediction: PredictionTrace | null;
}

/** Runs stage B for a call made at `occurredAt` (epoch milliseconds). Synchronous; never throws. */
export type Infer = (event: InvocationEvent, occurredAt: number, isAgain?: boolean) => Inference;

/** For attribution without stage B. */
export const noInference: Infer = () => ({ degradation: 'none', prediction: null });
