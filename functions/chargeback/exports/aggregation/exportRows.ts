import { type Row, rowBuilder } from '../focus/cells.ts';
import { suppressionPeriodOf } from '../focus/chargePeriod.ts';
import type { Line } from '../focus/line.ts';
import { MergedLines } from '../focus/mergedLines.ts';
import type { OutputPlan } from '../request/outputPlan.ts';
import type { RowTotalsCounter } from './rowTotals.ts';
import type { Suppression } from './suppression.ts';
import { priceAsSingleRequest, suppressLine } from './suppressLine.ts';

/**
 * Yields the rows of a range of charge periods in one billing month. `batches` are its lines, sorted and merged. Suppressed
 * lines are buffered until the end of their charge period, or of their day when a row is a single call, so memory holds
 * one period only. Adds each row to `totals`.
 */
export async function* exportRows(
  batches: AsyncIterable<readonly Line[]> | Iterable<readonly Line[]>,
  suppression: Suppression,
  { grain, columns, biller }: Pick<OutputPlan, 'grain' | 'columns' | 'biller'>,
  totals: RowTotalsCounter,
): AsyncGenerator<readonly Row[]> {
  const rowOf = rowBuilder(columns, biller);
  const written = (merged: Line): Row => {
    const line = priceAsSingleRequest(merged);
    totals.add(line);
    return rowOf(line);
  };
  let suppressedLines = new MergedLines();
  let period = Number.NEGATIVE_INFINITY;
  const takeSuppressed = (): Row[] => {
    const rows = suppressedLines.sorted().map(written);
    suppressedLines = new MergedLines();
    return rows;
  };
  for await (const batch of batches) {
    const rows: Row[] = [];
    for (const line of batch) {
      const next = suppressionPeriodOf(line.key.start, grain.granularity);
      if (next > period) {
        for (const row of takeSuppressed()) rows.push(row);
        period = next;
      }
      const visible = suppressLine(line, suppression, grain);
      // Parts of an unattributed record may get equal keys once their recipients are hidden, so they are merged too.
      if (visible.key.rollup === null && visible.key.split === null) rows.push(written(visible));
      else suppressedLines.add(visible);
    }
    yield rows;
  }
  yield takeSuppressed();
}
