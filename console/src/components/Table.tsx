import type { ReactNode } from 'react';
import { CsvButton } from './CsvButton.tsx';
import { type RowAction, RowActions } from './RowActions.tsx';

export interface Column<Row> {
  readonly title: string;
  /** Hides the title from view: for columns of buttons. */
  readonly isAction?: boolean;
  readonly right?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The rows of the API that the file for spreadsheets has. Default: `rows`. */
  readonly source?: readonly object[];
  /** The list has rows that are not read yet. */
  readonly hasMore?: boolean;
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
  actions,
}: TableProps<Row>) => {
  const columns: readonly Column<Row>[] =
    actions === undefined
      ? shown
      : [
          ...shown,
          { title: 'Actions', isAction: true, cell: (row) => <RowActions actions={actions(row)} /> },
        ];
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached with the keyboard. */}
      <section className="scroll rows-on-phone" tabIndex={0} aria-label={`${label}, table`}>
        <table>
          <thead>
            <tr>
              {columns.map(({ title, isAction, right }) => (
                <th
                  key={title}
                  scope="col"
                  className={right === true || isAction === true ? 'right' : undefined}
                >
                  {isAction === true ? <span className="visually-hidden">{title}</span> : title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ title, right, isAction, cell }, index) =>
                  index === 0 ? (
                    <th key={title} scope="row">
                      {cell(row)}
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
      <CsvButton label={label} rows={source} hasMore={hasMore} />
    </>
  );
};
