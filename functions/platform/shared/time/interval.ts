/** A half-open time range in epoch milliseconds: `from` is included, `to` is not. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}
