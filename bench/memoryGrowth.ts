import { goal, type Row } from './table.ts';

const MEGABYTE = 1e6;
/** How much more memory something may take for a ledger that is several times as large. */
const GOAL_GROWTH = 1.3;
/** Fewer records do not fill what is held at once, so that what they take says nothing about growth. */
const FILLING = 50_000;

/** The memory of a process, bytes: the most it held, and what it held before its first call. */
export interface Peak {
  readonly peakBytes: number;
  readonly idleBytes: number;
}

/** Holds peaks against those of the size before, by what was measured. */
export class MemoryGrowth {
  readonly #before = new Map<string, { readonly records: number; readonly bytes: number }>();

  cells(name: string, records: number, { peakBytes, idleBytes }: Peak): Row {
    const before = this.#before.get(name);
    this.#before.set(name, { records, bytes: peakBytes });
    const growth = before === undefined ? null : peakBytes / before.bytes;
    const isFilled = before !== undefined && before.records >= FILLING;
    return {
      'idle MB': Math.round(idleBytes / MEGABYTE),
      'peak MB': Math.round(peakBytes / MEGABYTE),
      'to the smaller': growth,
      goal: growth !== null && isFilled ? goal(growth, GOAL_GROWTH) : null,
    };
  }
}
