import type { Wait } from '../client/wait.ts';
import { isRefused, type ReadRow, type Refusal, type Row } from './row.ts';

/** Maximum number of reported refusals, in file order. The others are only counted. */
export const REFUSALS_KEPT = 5;

/** The rows of one request, and the refused rows between them. */
export interface Batch {
  readonly rows: readonly Row[];
  readonly refused: number;
  /** The first refusals, at most REFUSALS_KEPT. */
  readonly refusals: readonly Refusal[];
}

/** When a row is due, in milliseconds since the start of the replay. */
export type RowSchedule = (at: number) => number;

/** Rows that are due in the same tick share a request, so that not every row needs its own. */
const TICK_MS = 200;

/** `speed` times real time, starting at the first row. Rows out of order are due immediately. */
export const scheduleAtSpeed = (speed: number, first: number): RowSchedule => {
  return (at) => Math.ceil(Math.max(0, at - first) / speed / TICK_MS) * TICK_MS;
};

export const sendWithoutDelay: RowSchedule = () => 0;

export interface BatchOptions {
  readonly size: number;
  readonly schedule: RowSchedule;
  /** Monotonic time in milliseconds. */
  readonly now: () => number;
  readonly wait: Wait;
  /** Ends the batches early. A waiting batch is dropped. */
  readonly stop: AbortSignal;
}

/** Groups rows into batches and yields each when it is due. Reads rows only on demand. */
export async function* batchesOf(
  rows: AsyncIterable<ReadRow>,
  { size, schedule, now, wait, stop }: BatchOptions,
): AsyncGenerator<Batch> {
  const startedAt = now();
  let due = 0;
  let batch: Row[] = [];
  let refused = 0;
  let refusals: Refusal[] = [];
  const isDue = async (): Promise<boolean> => {
    const early = startedAt + due - now();
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
    const rowDue = schedule(row.at);
    if (batch.length > 0 && (batch.length === size || rowDue > due)) {
      if (!(await isDue())) return;
      yield take();
    }
    due = Math.max(due, rowDue);
    batch.push(row);
  }
  if (batch.length + refused > 0 && (await isDue())) yield take();
}
