import { type Row, rowsBy } from '../focus/cells.ts';
import { Lines } from '../focus/grain.ts';
import type { Line } from '../focus/line.ts';
import { foldingPeriodOf } from '../focus/period.ts';
import type { ExportPlan } from '../request/plan.ts';
import type { Folding } from './folding.ts';
import { foldLine, pooledPrice } from './foldLine.ts';
import type { Totals } from './totals.ts';

/**
 * The rows of some charge periods of one billing month. `batches` are their lines in order, each once. What is folded is
 * held back to the end of its charge period, or of its day where a row is a call, so that only that is ever in memory.
 * What is written is counted into `totals`.
 */
export async function* exportRows(
  batches: AsyncIterable<readonly Line[]> | Iterable<readonly Line[]>,
  folding: Folding,
  { grain, columns, biller }: Pick<ExportPlan, 'grain' | 'columns' | 'biller'>,
  totals: Totals,
): AsyncGenerator<readonly Row[]> {
  const rowOf = rowsBy(columns, biller);
  const written = (line: Line): Row => {
    totals.add(line);
    return rowOf(line);
  };
  let folded = new Lines();
  let period = Number.NEGATIVE_INFINITY;
  const takeFolded = (): Row[] => {
    const rows = folded.sorted().map((line) => written(pooledPrice(line)));
    folded = new Lines();
    return rows;
  };
  for await (const batch of batches) {
    const rows: Row[] = [];
    for (const line of batch) {
      const next = foldingPeriodOf(line.key.start, grain.granularity);
      if (next > period) {
        for (const row of takeFolded()) rows.push(row);
        period = next;
      }
      const shown = foldLine(line, folding, grain);
      // Parts of what nobody was named for may become alike where their bearers are not shown.
      if (shown.key.rollup === null && shown.key.split === null) rows.push(written(shown));
      else folded.add(shown);
    }
    yield rows;
  }
  yield takeFolded();
}
