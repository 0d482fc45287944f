import type { Decimal } from '../../functions/shared/decimal.ts';
import { toDecimalString } from '../../functions/shared/decimal.ts';
import type { Format } from './format.ts';
import type { Refusal } from './row.ts';

/** What became of a file, as `--json` prints it. */
export interface ReplayReport {
  readonly file: string;
  readonly base_url: string;
  readonly format: Format;
  /** Rows to replay: those of the file, or the first so many. */
  readonly rows: number;
  /** Rows sent at least once, answered or not. */
  readonly sent: number;
  readonly accepted: number;
  /** Rows that could not be read, and events the service rejected. */
  readonly refused: number;
  /** The first of them. */
  readonly refusals: readonly Refusal[];
  /** Accepted rows that repeat the event id of an earlier row. */
  readonly repeated: number;
  /** Accepted events whose record could be read; null where that cannot be told. */
  readonly visible: number | null;
  /** Why `visible` is null or short. */
  readonly visible_note: string | null;
  /** Exact sum over the visible records with a known cost; null when there is none. */
  readonly cost_usd: string | null;
  /** Visible records whose cost is unknown. */
  readonly unpriced: number;
  /** First and last time as sent. */
  readonly period: { readonly from: string; readonly to: string } | null;
  /** From the first request to the last answer. */
  readonly seconds: number;
  /** Accepted events a second. */
  readonly events_per_second: number | null;
  readonly interrupted: boolean;
  /** Why the replay ended before the file did. */
  readonly fault: string | null;
}

/** Whether every row is accepted, and visible as far as that can be told. */
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

/** The cost of records, summed exactly; unknown costs are counted, never added as 0. */
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
