import { goal, type Row } from '../support/table.ts';

const MEGABYTE = 1e6;
/** Maximum growth of peak memory from one ledger size to the next. */
const GOAL_GROWTH = 1.3;
/** Smaller ledgers do not fill the bounded buffers, so their memory says nothing about growth. */
const BUFFER_FILLING_RECORDS = 50_000;

/** Memory of a process in bytes: peak, and idle before its first invocation. */
export interface Peak {
  readonly peakBytes: number;
  readonly idleBytes: number;
}

/** Compares the peak memory of each measurement with its value at the previous ledger size. */
export class MemoryGrowth {
  readonly #previous = new Map<string, { readonly records: number; readonly bytes: number }>();

  cells(name: string, records: number, { peakBytes, idleBytes }: Peak): Row {
    const previous = this.#previous.get(name);
    this.#previous.set(name, { records, bytes: peakBytes });
    const growth = previous === undefined ? null : peakBytes / previous.bytes;
    const isComparable = previous !== undefined && previous.records >= BUFFER_FILLING_RECORDS;
    return {
      'idle MB': Math.round(idleBytes / MEGABYTE),
      'peak MB': Math.round(peakBytes / MEGABYTE),
      'growth factor': growth,
      goal: growth !== null && isComparable ? goal(growth, GOAL_GROWTH) : null,
    };
  }
}
