import { Listed, type ListedProps } from './Listed.tsx';
import { Table, type TableProps } from './Table.tsx';

/** A list that is read page by page, as a table. */
export const ListTable = <Row extends object>({
  of,
  height,
  empty,
  ...table
}: ListedProps<Row> & Omit<TableProps<Row>, 'rows' | 'hasMore'>) => (
  <Listed of={of} height={height} empty={empty}>
    {(rows) => <Table {...table} rows={rows} hasMore={of.hasNextPage} />}
  </Listed>
);
