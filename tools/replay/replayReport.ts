import type { Decimal } from '../../functions/platform/shared/decimal.ts';
import { toDecimalString } from '../../functions/platform/shared/decimal.ts';
import type { Format } from './format.ts';
import type { Refusal } from './row.ts';

/** The result of a replay, as `--json` prints it. */
export interface ReplayReport {
  readonly file: string;
  readonly base_url: string;
  readonly format: Format;
  /** Rows to replay: all rows of the file, or those within the limit. */
  readonly rows: number;
  /** Rows sent at least once, with or without a response. */
  readonly sent: number;
  readonly accepted: number;
  /** Invalid rows, and events the service rejected. */
  readonly refused: number;
  /** The first refusals. */
  readonly refusals: readonly Refusal[];
  /** Accepted rows that repeat the event id of an earlier row. */
  readonly repeated: number;
  /** Accepted events whose record was read. Null if the records cannot be read. */
  readonly visible: number | null;
  /** Why `visible` is null or smaller than expected. */
  readonly visible_note: string | null;
  /** Exact sum over the visible records with a known cost. Null without such a record. */
  readonly cost_usd: string | null;
  /** Visible records whose cost is unknown. */
  readonly unpriced: number;
  /** First and last event time, as sent. */
  readonly period: { readonly from: string; readonly to: string } | null;
  /** From the first request to the last response. */
  readonly seconds: number;
  /** Accepted events per second. */
  readonly events_per_second: number | null;
  readonly interrupted: boolean;
  /** Why the replay ended before the end of the file. */
  readonly fault: string | null;
}

/** Whether every row is accepted and, if records can be read, visible. */
export const isComplete = ({
  rows,
  accepted,
  repeated,
  visible,
  fault,
  interrupted,
}: ReplayReport): boolean =>
  fault === null &&
  !interrupted &&
  accepted === rows &&
  (visible === null || visible === accepted - repeated);

/** The exact total cost of records. Unknown costs are counted separately and never added as 0. */
export class CostTotal {
  #sum: Decimal | null = null;
  unpriced = 0;

  add(cost: Decimal | null): void {
    if (cost === null) this.unpriced += 1;
    else this.#sum = this.#sum === null ? cost : this.#sum.plus(cost);
  }

  get total(): string | null {
    return this.#sum === null ? null : toDecimalString(this.#sum);
  }
}
