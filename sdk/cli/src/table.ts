export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  /** Amounts are aligned to the right. */
  readonly isAmount?: boolean;
}

const GAP = '  ';

const lengthOf = (text: string): number => [...text].length;

/** Lines of a table: a title line, and one line for each row. */
export const tableOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] => {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ value }) => value(row))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => lengthOf(cells[index] ?? ''))));
  return lines.map((cells) =>
    cells
      .map((cell, index) => {
        const padding = ' '.repeat((widths[index] ?? 0) - lengthOf(cell));
        return columns[index]?.isAmount ? padding + cell : cell + padding;
      })
      .join(GAP)
      .trimEnd(),
  );
};

/** Lines of names and values, one pair a line. */
export const pairsOf = (pairs: readonly (readonly [name: string, value: string])[]): string[] => {
  const width = Math.max(...pairs.map(([name]) => lengthOf(name)));
  return pairs.map(([name, value]) => `${name.padEnd(width)}${GAP}${value}`);
};
