import * as z from 'zod';
import { picoOf } from '../../../schemas/attribution/allocation.ts';
import { fromPico } from '../../shared/largestRemainder.ts';
import type { Line } from '../focus/line.ts';
import { addTallies, nothing, StoredTally, type Tally } from './tally.ts';

/** What the rows of an export sum to. Rows do not tell how many records are behind them, so those are none here. */
export interface RowTotals {
  readonly sum: Tally;
  readonly rows: number;
  readonly consumed: readonly { readonly unit: string; readonly quantity: string }[];
}

/** The same, counted as rows are written. */
export class Totals implements RowTotals {
  readonly #consumed = new Map<Line['key']['consumed'], bigint>();
  #sum = nothing;
  #rows = 0;

  add({ key, amounts }: Line): void {
    const { cost, energy, carbon } = amounts;
    this.#rows += 1;
    this.#sum = addTallies(this.#sum, { records: 0, cost, energy, carbon });
    this.#consumed.set(key.consumed, (this.#consumed.get(key.consumed) ?? 0n) + amounts.consumed);
  }

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

/** What rows written by several steps sum to together. */
export const uniteTotals = (all: readonly RowTotals[]): RowTotals => {
  const consumed = new Map<string, bigint>();
  for (const { unit, quantity } of all.flatMap((totals) => totals.consumed)) {
    consumed.set(unit, (consumed.get(unit) ?? 0n) + picoOf(quantity));
  }
  return {
    sum: all.reduce((sum, totals) => addTallies(sum, totals.sum), nothing),
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    consumed: [...consumed]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([unit, quantity]) => ({ unit, quantity: fromPico(quantity) })),
  };
};

/** Totals as JSON, for what waits in store. */
export const StoredTotals = z.object({
  sum: StoredTally,
  rows: z.int(),
  consumed: z.array(z.object({ unit: z.string(), quantity: z.string() })),
});
