import type { ForecastTotals } from '../../../../sdk/typescript/src/types.ts';
import type { Column } from '../../components/tables/Table.tsx';
import { formatRange } from '../../format/amount.ts';

/** The column of what was spent so far, which hidden calls can make a range or unknown. */
export const spentColumn = <Row extends Pick<ForecastTotals, 'spent_usd' | 'spent_usd_maximum'>>(
  title: string,
): Column<Row> => ({
  title,
  right: true,
  cell: ({ spent_usd: low, spent_usd_maximum: high }) =>
    low === null || high === null ? <span className="unknown">unknown</span> : formatRange(low, high, 'cost'),
  order: ({ spent_usd: spent }) => spent,
});
