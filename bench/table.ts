/** A cell: text, a number, or null where there is nothing to say. */
export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

/** A table as it is printed and as it goes into the JSON file. */
export interface Table {
  readonly title: string;
  /** What the figures rest on. */
  readonly notes: readonly string[];
  readonly rows: readonly Row[];
}

export const table = (title: string, rows: readonly Row[], ...notes: readonly string[]): Table => ({
  title,
  notes,
  rows,
});

/** A measured value beside the most it may be. */
export const goal = (value: number, most: number): string => `≤ ${most} ${value <= most ? 'met' : 'MISSED'}`;

/** Three significant digits, and whole numbers as they are, so that columns compare at a glance. */
const textOf = (cell: Cell | undefined): string => {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'string') return cell;
  if (!Number.isFinite(cell)) return '–';
  if (Number.isInteger(cell) || Math.abs(cell) >= 1_000) return String(Math.round(cell));
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(cell))));
  return cell.toFixed(Math.min(digits, 6));
};

/** Aligned columns: numbers to the right, everything else to the left. Columns are the members of the rows, in order. */
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
