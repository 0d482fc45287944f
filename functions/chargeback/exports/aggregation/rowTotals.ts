import * as z from 'zod';
import { formatFixedPoint, parseFixedPoint } from '../../../../schemas/fixedPoint.ts';
import type { Line } from '../focus/line.ts';
import { addRecordTotals, type RecordTotals, StoredRecordTotals, zeroTotals } from './recordTotals.ts';

/** Sums of the rows without an owner, and of those without a service. */
interface Unassigned {
  readonly owner: RecordTotals;
  readonly service: RecordTotals;
}

const NOTHING_UNASSIGNED: Unassigned = { owner: zeroTotals, service: zeroTotals };

/** Sums over the rows of an export. */
export interface RowTotals {
  readonly sum: RecordTotals;
  readonly unassigned: Unassigned;
  readonly rows: number;
  readonly consumed: readonly { readonly unit: string; readonly quantity: string }[];
}

/** Row totals, counted while rows are written. */
export class RowTotalsCounter implements RowTotals {
  readonly #consumed = new Map<Line['key']['consumed'], bigint>();
  #sum = zeroTotals;
  #unassigned = NOTHING_UNASSIGNED;
  #rows = 0;

  add({ key, amounts }: Line): void {
    const { owner, service } = this.#unassigned;
    this.#rows += 1;
    this.#sum = addRecordTotals(this.#sum, amounts);
    this.#unassigned = {
      owner: key.ownerState === 'unassigned' ? addRecordTotals(owner, amounts) : owner,
      service: key.serviceState === 'unassigned' ? addRecordTotals(service, amounts) : service,
    };
    this.#consumed.set(key.consumed, (this.#consumed.get(key.consumed) ?? 0n) + amounts.consumed);
  }

  get sum(): RecordTotals {
    return this.#sum;
  }

  get unassigned(): Unassigned {
    return this.#unassigned;
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
    unassigned: all.reduce(
      (sum, { unassigned }) => ({
        owner: addRecordTotals(sum.owner, unassigned.owner),
        service: addRecordTotals(sum.service, unassigned.service),
      }),
      NOTHING_UNASSIGNED,
    ),
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    consumed: [...consumed]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([unit, quantity]) => ({ unit, quantity: formatFixedPoint(quantity) })),
  };
};

/** JSON form of row totals in work documents. */
export const StoredRowTotals = z.object({
  sum: StoredRecordTotals,
  unassigned: z
    .object({ owner: StoredRecordTotals, service: StoredRecordTotals })
    .default(NOTHING_UNASSIGNED),
  rows: z.int(),
  consumed: z.array(z.object({ unit: z.string(), quantity: z.string() })),
});
