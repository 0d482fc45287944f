import { fromPico } from '../allocation/largestRemainder.ts';
import { type Row, rowsBy } from './cells.ts';
import type { Folding } from './folding.ts';
import { foldLine, pooledPrice } from './foldLine.ts';
import { Lines } from './grain.ts';
import type { Line } from './line.ts';
import type { ExportPlan } from './plan.ts';
import { addTallies, nothing, type Tally } from './tally.ts';

/** What the rows of an export sum to, counted as they are written. */
export class Totals {
  readonly #consumed = new Map<Line['key']['consumed'], bigint>();
  #sum = nothing;
  #rows = 0;

  add({ key, amounts }: Line): void {
    const { cost, energy, carbon } = amounts;
    this.#rows += 1;
    this.#sum = addTallies(this.#sum, { records: 0, cost, energy, carbon });
    this.#consumed.set(key.consumed, (this.#consumed.get(key.consumed) ?? 0n) + amounts.consumed);
  }

  /** Rows do not tell how many records are behind them, so those are none here. */
  get sum(): Tally {
    return this.#sum;
  }

  get rows(): number {
    return this.#rows;
  }

  get consumed(): { unit: string; quantity: string }[] {
    return [...this.#consumed]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([unit, quantity]) => ({ unit, quantity: fromPico(quantity) }));
  }
}

const BATCH = 1_000;

/**
 * The rows of one billing month. `buckets` are its lines by bucket in the order of time, each whole, in any order inside;
 * one is in memory at a time. What is written is counted into `totals`.
 */
export async function* exportRows(
  buckets: AsyncIterable<Iterable<Line>> | Iterable<Iterable<Line>>,
  folding: Folding,
  { grain, columns, biller }: Pick<ExportPlan, 'grain' | 'columns' | 'biller'>,
  totals: Totals,
): AsyncGenerator<readonly Row[]> {
  const rowOf = rowsBy(columns, biller);
  for await (const bucket of buckets) {
    const lines = new Lines();
    for (const line of bucket) lines.add(foldLine(line, folding, grain));
    const sorted = lines.sorted().map(pooledPrice);
    for (let from = 0; from < sorted.length; from += BATCH) {
      yield sorted.slice(from, from + BATCH).map((line) => {
        totals.add(line);
        return rowOf(line);
      });
    }
  }
}
