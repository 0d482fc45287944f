/** A prediction that was checked against the true label. */
export interface PredictionOutcome {
  /** Score or confidence of the predicted label, 0..1. */
  readonly score: number;
  readonly isRight: boolean;
  /** Number of calls that this one represents. */
  readonly weight: number;
}
