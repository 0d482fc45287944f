import type { Wait } from '../client/wait.ts';
import { isRefused, type ReadRow, type Refusal, type Row } from './row.ts';

/** Reasons that are kept, in the order of the file; the others are only counted. */
export const REFUSALS_KEPT = 5;

/** Rows that go out in one request, and what was refused on the way to them. */
export interface Batch {
  readonly rows: readonly Row[];
  readonly refused: number;
  /** The first of the refusals, REFUSALS_KEPT at most. */
  readonly refusals: readonly Refusal[];
}

/** When rows are due, in milliseconds since the replay began. */
export type Pace = (at: number) => number;

/** Rows due within so many milliseconds share a request: at a high speed each would otherwise have its own. */
const TICK_MS = 200;

/** `speed` times real time from the first row on; rows out of order are due at once. */
export const paceOf = (speed: number, first: number): Pace => {
  return (at) => Math.ceil(Math.max(0, at - first) / speed / TICK_MS) * TICK_MS;
};

export const asFastAsAccepted: Pace = () => 0;

export interface BatchOptions {
  readonly size: number;
  readonly pace: Pace;
  /** Milliseconds, from any origin. */
  readonly now: () => number;
  readonly wait: Wait;
  /** Ends the batches early, as if the file ended there; a batch that waits is not given out any more. */
  readonly stop: AbortSignal;
}

/** Groups rows into batches and gives each out when it is due. Reads no further than the consumer asks. */
export async function* batchesOf(
  rows: AsyncIterable<ReadRow>,
  { size, pace, now, wait, stop }: BatchOptions,
): AsyncGenerator<Batch> {
  const began = now();
  let due = 0;
  let batch: Row[] = [];
  let refused = 0;
  let refusals: Refusal[] = [];
  const isDue = async (): Promise<boolean> => {
    const early = began + due - now();
    if (early > 0 && !stop.aborted) await wait(early, stop);
    return !stop.aborted;
  };
  const take = (): Batch => {
    const taken = { rows: batch, refused, refusals };
    [batch, refused, refusals] = [[], 0, []];
    return taken;
  };
  for await (const row of rows) {
    if (stop.aborted) return;
    if (isRefused(row)) {
      refused += 1;
      if (refusals.length < REFUSALS_KEPT) refusals.push({ line: row.line, reason: row.reason });
      continue;
    }
    const rowDue = pace(row.at);
    if (batch.length > 0 && (batch.length === size || rowDue > due)) {
      if (!(await isDue())) return;
      yield take();
    }
    due = Math.max(due, rowDue);
    batch.push(row);
  }
  if (batch.length + refused > 0 && (await isDue())) yield take();
}
