import { isDecimal, magnitude } from '../../../../sdk/shared/decimal.ts';

/** What a row is ordered by: text, a count, or an amount as the API gives it. Null or undefined: unknown. */
export type OrderValue = string | number | null | undefined;

/** The column by which a person ordered a table. */
export interface Order {
  readonly title: string;
  readonly descending: boolean;
}

/** A first choice of figures shows the largest, and of names the first. The same column again turns round, then ends. */
export const nextOrder = (order: Order | null, title: string, isFigure: boolean): Order | null => {
  if (order?.title !== title) return { title, descending: isFigure };
  return order.descending === isFigure ? { title, descending: !isFigure } : null;
};

/** `team-2` is before `team-10`. */
const names = new Intl.Collator('en', { numeric: true });

const compare = (one: string | number, other: string | number): number => {
  const [a, b] = [String(one), String(other)];
  return isDecimal(a) && isDecimal(b) ? magnitude(a) - magnitude(b) : names.compare(a, b);
};

/** The rows in order of a value. Equal ones keep their order. Unknown is no amount, so it is last either way. */
export const sortRows = <Row>(
  rows: readonly Row[],
  orderOf: (row: Row) => OrderValue,
  descending: boolean,
): readonly Row[] => {
  const valued = rows.map((row) => ({ row, value: orderOf(row) ?? null }));
  return valued
    .toSorted(({ value: one }, { value: other }) => {
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return descending ? compare(other, one) : compare(one, other);
    })
    .map(({ row }) => row);
};
