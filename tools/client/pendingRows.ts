import type { Period } from './serviceClient.ts';

/** A set of row numbers, one bit each. Millions of rows take a few hundred kilobytes. */
class RowSet {
  #bits = new Uint8Array(1_024);
  size = 0;

  add(row: number): boolean {
    const byte = row >>> 3;
    if (byte >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(byte + 1, this.#bits.length * 2));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    const before = this.#bits[byte] ?? 0;
    const after = before | (1 << (row & 7));
    if (after === before) return false;
    this.#bits[byte] = after;
    this.size += 1;
    return true;
  }

  delete(row: number): boolean {
    const byte = row >>> 3;
    const before = this.#bits[byte] ?? 0;
    const after = before & ~(1 << (row & 7));
    if (after === before) return false;
    this.#bits[byte] = after;
    this.size -= 1;
    return true;
  }
}

/** An accepted row: its number, its event id, and its time as sent (epoch milliseconds). */
export interface AcceptedRow {
  readonly number: number;
  readonly eventId: string;
  readonly at: number;
}

interface RowRange {
  readonly lastRow: number;
  readonly from: number;
  readonly to: number;
  missing: number;
}

/**
 * The accepted rows whose records are not found yet. Rows are added in file order, one batch at a time.
 * `rowOf` parses the row number from derived event ids. Only ids from the file itself are stored.
 */
export class PendingRows {
  readonly #rowOf: (eventId: string) => number | undefined;
  readonly #rows = new RowSet();
  readonly #ownIds = new Map<string, number>();
  readonly #ranges: RowRange[] = [];
  /** Accepted rows that repeat the event id of an earlier one: both are one event. */
  repeated = 0;

  constructor(rowOf: (eventId: string) => number | undefined) {
    this.#rowOf = rowOf;
  }

  get remaining(): number {
    return this.#rows.size;
  }

  expect(batch: readonly AcceptedRow[]): void {
    const added = batch.filter(({ number, eventId }) => {
      if (this.#rowOf(eventId) === undefined) {
        if (this.#ownIds.has(eventId)) {
          this.repeated += 1;
          return false;
        }
        this.#ownIds.set(eventId, number);
      }
      return this.#rows.add(number);
    });
    const last = added.at(-1);
    if (last === undefined) return;
    const from = added.reduce((least, { at }) => Math.min(least, at), last.at);
    const to = added.reduce((most, { at }) => Math.max(most, at), last.at);
    this.#ranges.push({ lastRow: last.number, from, to, missing: added.length });
  }

  /** Marks a record as found. Returns true if it was pending. */
  markFound(eventId: string): boolean {
    const row = this.#ownIds.get(eventId) ?? this.#rowOf(eventId);
    if (row === undefined || !this.#rows.delete(row)) return false;
    const range = this.#rangeOf(row);
    if (range !== undefined) range.missing -= 1;
    return true;
  }

  /** The time ranges with missing records, ascending, without overlap. Adjacent ranges are merged. */
  gaps(): Period[] {
    const gaps: { from: number; to: number }[] = [];
    let isAdjacent = false;
    for (const { from, to, missing } of this.#ranges.toSorted((one, other) => one.from - other.from)) {
      const last = gaps.at(-1);
      if (missing === 0) {
        isAdjacent = false;
        continue;
      }
      if (last !== undefined && (isAdjacent || from <= last.to)) last.to = Math.max(last.to, to);
      else gaps.push({ from, to });
      isAdjacent = true;
    }
    return gaps;
  }

  #rangeOf(row: number): RowRange | undefined {
    let [low, high] = [0, this.#ranges.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ranges[middle]?.lastRow ?? 0) < row) low = middle + 1;
      else high = middle;
    }
    return this.#ranges[low];
  }
}
