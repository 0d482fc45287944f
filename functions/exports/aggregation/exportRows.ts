import { type Row, rowBuilder } from '../focus/cells.ts';
import { suppressionPeriodOf } from '../focus/chargePeriod.ts';
import type { Line } from '../focus/line.ts';
import { MergedLines } from '../focus/mergedLines.ts';
import type { OutputPlan } from '../request/outputPlan.ts';
import type { RowTotalsCounter } from './rowTotals.ts';
import type { Suppression } from './suppression.ts';
import { priceAsSingleRequest, suppressLine } from './suppressLine.ts';

/**
 * The rows of some charge periods of one billing month. `batches` are their lines in order, each once. What is folded is
 * held back to the end of its charge period, or of its day where a row is a call, so that only that is ever in memory.
 * What is written is counted into `totals`.
 */
export async function* exportRows(
  batches: AsyncIterable<readonly Line[]> | Iterable<readonly Line[]>,
  suppression: Suppression,
  { grain, columns, biller }: Pick<OutputPlan, 'grain' | 'columns' | 'biller'>,
  totals: RowTotalsCounter,
): AsyncGenerator<readonly Row[]> {
  const rowOf = rowBuilder(columns, biller);
  const written = (line: Line): Row => {
    totals.add(line);
    return rowOf(line);
  };
  let suppressedLines = new MergedLines();
  let period = Number.NEGATIVE_INFINITY;
  const takeSuppressed = (): Row[] => {
    const rows = suppressedLines.sorted().map((line) => written(priceAsSingleRequest(line)));
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
      // Parts of what nobody was named for may become alike where their bearers are not shown.
      if (visible.key.rollup === null && visible.key.split === null) rows.push(written(visible));
      else suppressedLines.add(visible);
    }
    yield rows;
  }
  yield takeSuppressed();
}
