import type { ColumnsLayout } from './columns.ts';

/** A shorter drag is a click. */
const DRAG_MINIMUM = 12;

/** The indexes of the first and last column between two positions. Null for a click, or where no column lies. */
export const brushOf = (
  { columns, width }: Pick<ColumnsLayout, 'columns' | 'width'>,
  from: number,
  to: number,
): readonly [number, number] | null => {
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  if (right - left < DRAG_MINIMUM) return null;
  const chosen = columns.flatMap(({ x }, index) => (x + width >= left && x <= right ? [index] : []));
  const [first] = chosen;
  const last = chosen.at(-1);
  return first === undefined || last === undefined ? null : [first, last];
};
