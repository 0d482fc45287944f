import type { AnomalyGrain } from '../../../schemas/insight/anomalies.ts';
import type { Decimal } from '../../platform/shared/decimal.ts';

/** Cost over time of one entity, in USD. */
export interface Series {
  /** Cost of a period. 0 without calls. */
  readonly cost: (grain: AnomalyGrain, start: number) => Decimal;
  /** Start of the first known day, epoch milliseconds. */
  readonly since: number;
  /** Mean cost of a call. */
  readonly perCall: Decimal;
}
