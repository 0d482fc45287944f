import * as z from 'zod';
import { formatFixedPoint, parseFixedPoint } from '../../../../schemas/fixedPoint.ts';
import type { Line } from '../focus/line.ts';
import { addRecordTotals, type RecordTotals, StoredRecordTotals, zeroTotals } from './recordTotals.ts';

/** Sums over the rows of an export. Rows do not carry a record count, so `sum.records` is 0. */
export interface RowTotals {
  readonly sum: RecordTotals;
  readonly rows: number;
  readonly consumed: readonly { readonly unit: string; readonly quantity: string }[];
}

/** Row totals, counted while rows are written. */
export class RowTotalsCounter implements RowTotals {
  readonly #consumed = new Map<Line['key']['consumed'], bigint>();
  #sum = zeroTotals;
  #rows = 0;

  add({ key, amounts }: Line): void {
    const { cost, energy, carbon } = amounts;
    this.#rows += 1;
    this.#sum = addRecordTotals(this.#sum, { records: 0, cost, energy, carbon });
    this.#consumed.set(key.consumed, (this.#consumed.get(key.consumed) ?? 0n) + amounts.consumed);
  }

  get sum(): RecordTotals {
    return this.#sum;
  }

  get rows(): number {
    return this.#rows;
  }

  get consumed(): { unit: string; quantity: string }[] {
    return [...this.#consumed]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([unit, quantity]) => ({ unit, quantity: formatFixedPoint(quantity) }));
  }
}

/** Merges the row totals of several write steps. */
export const mergeTotals = (all: readonly RowTotals[]): RowTotals => {
  const consumed = new Map<string, bigint>();
  for (const { unit, quantity } of all.flatMap((totals) => totals.consumed)) {
    consumed.set(unit, (consumed.get(unit) ?? 0n) + parseFixedPoint(quantity));
  }
  return {
    sum: all.reduce((sum, totals) => addRecordTotals(sum, totals.sum), zeroTotals),
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    consumed: [...consumed]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([unit, quantity]) => ({ unit, quantity: formatFixedPoint(quantity) })),
  };
};

/** JSON form of row totals in work documents. */
export const StoredRowTotals = z.object({
  sum: StoredRecordTotals,
  rows: z.int(),
  consumed: z.array(z.object({ unit: z.string(), quantity: z.string() })),
});
