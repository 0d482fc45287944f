import { type ReactNode, useId } from 'react';
import { CsvButton } from './CsvButton.tsx';
import { type RowAction, RowActions } from './RowActions.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { type OrderValue, sortRows } from './sortRows.ts';
import { TableHeader } from './TableHeader.tsx';
import { useRowSelection } from './useRowSelection.ts';
import { useTableOrder } from './useTableOrder.ts';

export interface Column<Row> {
  readonly title: string;
  /** Hides the title from view: for columns of buttons. */
  readonly isAction?: boolean;
  readonly right?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** Lets a person order the rows by this value. Not for a column that has no single one. */
  readonly order?: (row: Row) => OrderValue;
}

export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The rows of the API that the file for spreadsheets has. Default: `rows`. */
  readonly source?: readonly object[];
  /** The list has rows that are not read yet. */
  readonly hasMore?: boolean;
  /** How many rows stay at the top in any order, such as a sum of the others. */
  readonly pinned?: number;
  /** Lets a person select rows, and says what these add up to. */
  readonly sumOf?: (rows: readonly Row[]) => string;
  /** The buttons at the end of each row. Without it, the table has no such column. */
  readonly actions?: ((row: Row) => readonly RowAction[]) | undefined;
}

/** A table whose first column names the row. It scrolls by itself, so that a phone shows no sideways scroll of the page. */
export const Table = <Row extends object>({
  label,
  columns: shown,
  rows,
  keyOf,
  source = rows,
  hasMore = false,
  pinned = 0,
  sumOf,
  actions,
}: TableProps<Row>) => {
  const id = useId();
  const [order, setOrder] = useTableOrder(label);
  const selection = useRowSelection(rows.map(keyOf));
  const columns: readonly Column<Row>[] =
    actions === undefined
      ? shown
      : [
          ...shown,
          { title: 'Actions', isAction: true, cell: (row) => <RowActions actions={actions(row)} /> },
        ];
  // The order of rows that are not read yet is unknown.
  const canOrder = !hasMore && rows.length > 1;
  const orderOf = canOrder ? columns.find(({ title }) => title === order?.title)?.order : undefined;
  const ordered =
    orderOf === undefined
      ? rows
      : [...rows.slice(0, pinned), ...sortRows(rows.slice(pinned), orderOf, order?.descending === true)];
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached with the keyboard. */}
      <section className="scroll rows-on-phone" tabIndex={0} aria-label={`${label}, table`}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <TableHeader
                  key={column.title}
                  column={column}
                  order={order}
                  choose={canOrder && column.order !== undefined ? setOrder : undefined}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {ordered.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ title, right, isAction, cell }, index) =>
                  index === 0 ? (
                    <th key={title} scope="row">
                      {sumOf !== undefined && (
                        <label className="pick">
                          <input
                            type="checkbox"
                            aria-labelledby={`${id}${keyOf(row)}`}
                            checked={selection.chosen.has(keyOf(row))}
                            onChange={() => selection.toggle(keyOf(row))}
                          />
                        </label>
                      )}
                      <span id={`${id}${keyOf(row)}`}>{cell(row)}</span>
                    </th>
                  ) : (
                    <td
                      key={title}
                      data-title={isAction === true ? undefined : title}
                      className={right === true || isAction === true ? 'right' : undefined}
                    >
                      {cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className="table-foot">
        {sumOf !== undefined && rows.length > 1 && (
          <SelectionBar label={label} of={selection}>
            {sumOf(rows.filter((row) => selection.chosen.has(keyOf(row))))}
          </SelectionBar>
        )}
        <CsvButton label={label} rows={source} hasMore={hasMore} />
      </div>
    </>
  );
};
