import type { Interpretation } from '../../../schemas/attribution/attributionRecord.ts';
import type { PredictionTrace } from '../../../schemas/attribution/explanation.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';

export type DegradationState = Interpretation['degradation_state'];

/** Result of stage B: how it was served, and its prediction; null when it has none. */
export interface Inference {
  readonly degradation: DegradationState;
  readonly prediction: PredictionTrace | null;
}

/** What is measured of owners that traces name. */
export interface MeasuredTrace {
  /** The share of them that is right. */
  readonly probability: number;
  /** Whether they must not be charged: too many are of services that never label. */
  readonly advisory: boolean;
}

/** When a call was made, in epoch milliseconds, and in which lane it is recorded. */
export interface CallPlace {
  readonly occurredAt: number;
  readonly residency: string | null;
}

/** What a training found out about calls. */
export interface Infer {
  /** Runs stage B for a call. Synchronous; never throws. It names only what calls of the same lane named. */
  (event: InvocationEvent, made: CallPlace, isAgain?: boolean): Inference;
  /** What is measured of owners that traces name with a confidence of the rule. Null: nothing. */
  readonly traced?: (confidence: number) => MeasuredTrace | null;
}

/** For attribution without stage B. */
export const noInference: Infer = () => ({ degradation: 'none', prediction: null });
