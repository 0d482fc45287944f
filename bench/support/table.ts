/** A cell: text, a number, or null when empty. */
export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

/** A result table, printed and written to the JSON file. */
export interface Table {
  readonly title: string;
  /** Assumptions and measurement method. */
  readonly notes: readonly string[];
  readonly rows: readonly Row[];
}

export const table = (title: string, rows: readonly Row[], ...notes: readonly string[]): Table => ({
  title,
  notes,
  rows,
});

/** Goal cell: the upper limit, and whether the value meets it. */
export const goal = (value: number, limit: number): string =>
  `≤ ${limit} ${value <= limit ? 'met' : 'MISSED'}`;

/** Formats numbers with three significant digits. Integers are not rounded. */
const textOf = (cell: Cell | undefined): string => {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'string') return cell;
  if (!Number.isFinite(cell)) return '–';
  if (Number.isInteger(cell) || Math.abs(cell) >= 1_000) return String(Math.round(cell));
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(cell))));
  return cell.toFixed(Math.min(digits, 6));
};

/** Renders a table as text. Columns are the keys of the rows, in order. Numeric columns are right-aligned. */
export const render = ({ title, notes, rows }: Table): string => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].map((name) => {
    const texts = rows.map((row) => textOf(row[name]));
    const numeric = rows.some((row) => typeof row[name] === 'number');
    const width = Math.max(name.length, ...texts.map((text) => text.length));
    const pad = (text: string): string => (numeric ? text.padStart(width) : text.padEnd(width));
    return { head: pad(name), line: '─'.repeat(width), texts: texts.map(pad) };
  });
  const join = (parts: readonly string[]): string => `  ${parts.join('  ')}`.trimEnd();
  return [
    title,
    join(columns.map(({ head }) => head)),
    join(columns.map(({ line }) => line)),
    ...rows.map((_, index) => join(columns.map(({ texts }) => texts[index] ?? ''))),
    ...notes.map((note) => `  ${note}`),
    '',
  ].join('\n');
};
