import type { Period } from './serviceClient.ts';

/** One bit a row: millions of rows take a few hundred kilobytes. */
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

/** An accepted row: its number, the id it was sent with, and its time as sent (epoch milliseconds). */
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
 * The accepted rows whose records were not seen yet. Rows come in the order of the file, a batch at a time.
 * Ids that follow from the row are read back by `rowOf`; only ids the file brings itself are remembered as they are.
 */
export class PendingRows {
  readonly #rowOf: (eventId: string) => number | undefined;
  readonly #rows = new RowSet();
  readonly #ownIds = new Map<string, number>();
  readonly #stretches: RowRange[] = [];
  /** Accepted rows that repeat the event id of an earlier one: both are one event. */
  repeated = 0;

  constructor(rowOf: (eventId: string) => number | undefined) {
    this.#rowOf = rowOf;
  }

  get remaining(): number {
    return this.#rows.size;
  }

  expect(batch: readonly AcceptedRow[]): void {
    const fresh = batch.filter(({ number, eventId }) => {
      if (this.#rowOf(eventId) === undefined) {
        if (this.#ownIds.has(eventId)) {
          this.repeated += 1;
          return false;
        }
        this.#ownIds.set(eventId, number);
      }
      return this.#rows.add(number);
    });
    const last = fresh.at(-1);
    if (last === undefined) return;
    const from = fresh.reduce((least, { at }) => Math.min(least, at), last.at);
    const to = fresh.reduce((most, { at }) => Math.max(most, at), last.at);
    this.#stretches.push({ lastRow: last.number, from, to, missing: fresh.length });
  }

  /** Takes note of a record; true when it is one of ours and was not seen before. */
  markFound(eventId: string): boolean {
    const row = this.#ownIds.get(eventId) ?? this.#rowOf(eventId);
    if (row === undefined || !this.#rows.delete(row)) return false;
    const stretch = this.#stretchOf(row);
    if (stretch !== undefined) stretch.missing -= 1;
    return true;
  }

  /** The stretches of time in which records are missing, in order and without overlap; neighbours are one. */
  gaps(): Period[] {
    const gaps: { from: number; to: number }[] = [];
    let joined = false;
    for (const { from, to, missing } of this.#stretches.toSorted((one, other) => one.from - other.from)) {
      const last = gaps.at(-1);
      if (missing === 0) {
        joined = false;
        continue;
      }
      if (last !== undefined && (joined || from <= last.to)) last.to = Math.max(last.to, to);
      else gaps.push({ from, to });
      joined = true;
    }
    return gaps;
  }

  #stretchOf(row: number): RowRange | undefined {
    let [low, high] = [0, this.#stretches.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#stretches[middle]?.lastRow ?? 0) < row) low = middle + 1;
      else high = middle;
    }
    return this.#stretches[low];
  }
}
