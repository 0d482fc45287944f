import { type Row, rowBuilder } from '../focus/cells.ts';
import type { Line } from '../focus/line.ts';
import { priceAsSingleRequest } from '../focus/shownDimensions.ts';
import type { OutputPlan } from '../request/outputPlan.ts';
import type { RowTotalsCounter } from './rowTotals.ts';

/** Yields the rows of lines that are sorted and merged, in batches. Adds each row to `totals`. */
export async function* exportRows(
  batches: AsyncIterable<readonly Line[]> | Iterable<readonly Line[]>,
  { columns, biller }: Pick<OutputPlan, 'columns' | 'biller'>,
  totals: RowTotalsCounter,
): AsyncGenerator<readonly Row[]> {
  const rowOf = rowBuilder(columns, biller);
  for await (const batch of batches) {
    const priced = batch.map(priceAsSingleRequest);
    for (const line of priced) totals.add(line);
    yield priced.map(rowOf);
  }
}
