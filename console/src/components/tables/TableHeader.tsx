import { nextOrder, type Order } from './sortRows.ts';

interface TableHeaderProps {
  readonly column: { readonly title: string; readonly isAction?: boolean; readonly right?: boolean };
  readonly order: Order | null;
  /** Absent: this column does not order the rows. */
  readonly choose: ((order: Order | null) => void) | undefined;
}

/** The title of a column, which orders the rows where it can. */
export const TableHeader = ({ column, order, choose }: TableHeaderProps) => {
  const { title, isAction, right = false } = column;
  const own = order?.title === title ? order : null;
  const direction = own === null ? 'none' : own.descending ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      className={right || isAction === true ? 'right' : undefined}
      aria-sort={choose === undefined ? undefined : direction}
    >
      {isAction === true && <span className="visually-hidden">{title}</span>}
      {isAction !== true && choose === undefined && title}
      {choose !== undefined && (
        <button type="button" className="order" onClick={() => choose(nextOrder(order, title, right))}>
          {title}
        </button>
      )}
    </th>
  );
};
