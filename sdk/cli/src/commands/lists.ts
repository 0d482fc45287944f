import { didYouMean } from '../../../shared/didYouMean.ts';
import type { Collection, FieldError } from '../../../typescript/src/index.ts';
import type { Call, Option } from '../command.ts';
import { UsageError } from '../faults.ts';
import { type Column, csvRow, csvTitles, tableOf } from '../table.ts';
import { note, writeJson, writeLine, writeTable } from '../terminal.ts';
import { shown } from '../text.ts';

/** Options of every command that prints rows. */
export const rowOptions: Readonly<Record<string, Option>> = {
  csv: { help: 'Print the columns of the table as CSV, with all digits' },
  jsonl: { help: 'Print JSON Lines, one entry a line' },
};

/** Options of every list. */
export const pageOptions: Readonly<Record<string, Option>> = {
  limit: { placeholder: 'N', help: 'Entries of a page. Default: 50' },
  cursor: { placeholder: 'CURSOR', help: 'The next_cursor of the page before' },
  all: { help: 'All pages. With --json: JSON Lines' },
  ...rowOptions,
};

/** A whole number, as the service expects it. Its range is checked by the service. */
export const integerOf = ({ option }: Call, name: string): number | undefined => {
  const text = option(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number: ${text}`);
  return Number(text);
};

export const pageQuery = (call: Call): { limit?: number; cursor?: string } => {
  const [limit, cursor] = [integerOf(call, 'limit'), call.option('cursor')];
  return { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
};

const FORMATS = ['json', 'jsonl', 'csv'] as const;

/** How rows are printed. Throws for several formats at once. */
const formatOf = ({ flag }: Call): 'table' | (typeof FORMATS)[number] => {
  const [format = 'table', another] = FORMATS.filter(flag);
  if (another !== undefined) throw new UsageError(`--${format} and --${another} exclude each other.`);
  return format === 'json' && flag('all') ? 'jsonl' : format;
};

/** Whether the rows are for people, who also get notes about them. */
export const isForPeople = (call: Call): boolean => formatOf(call) === 'table';

/** Prints rows. `document` is what JSON shows. `isFirst`: whether nothing of the list is printed yet. */
export const printRows = async <Row>(
  call: Call,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  document: unknown,
  isFirst = true,
): Promise<void> => {
  const { terminal } = call;
  const format = formatOf(call);
  if (format === 'json') return writeJson(terminal, document);
  if (format === 'table') return rows.length === 0 ? undefined : writeTable(terminal, tableOf(columns, rows));
  if (format === 'csv' && isFirst) await writeLine(terminal, csvTitles(columns));
  for (const row of rows)
    await (format === 'csv' ? writeLine(terminal, csvRow(columns, row)) : writeJson(terminal, row));
};

/** Notes which names no call has, with the names that were probably meant. JSON has them in the document. */
export const noteWarnings = (call: Call, of: string, warnings: readonly FieldError[] | null = []): void => {
  if (!isForPeople(call)) return;
  for (const { parameter, pointer, detail, suggestion } of warnings ?? [])
    note(
      call.terminal,
      `${shown(of)} ${parameter ?? pointer}: ${detail}${didYouMean(suggestion && shown(suggestion))}`.trim(),
    );
};

export interface AnyPage<Row> {
  readonly data: readonly Row[];
  readonly warnings?: readonly FieldError[];
  readonly page: { readonly next_cursor: string | null };
}

/**
 * Prints a page, or all of them. A page in JSON is the document of the service. Each page of a table has columns of its
 * own width, so that the first one appears before the last one is read.
 */
export const printCollection = async <Row, Page extends AnyPage<Row>>(
  call: Call,
  collection: Collection<Page>,
  columns: (page: Page) => readonly Column<Row>[],
  empty: string,
  /** The rows of a list that is one page, in the order of a table. */
  inOrder: (rows: readonly Row[]) => readonly Row[] = (rows) => rows,
): Promise<void> => {
  const { terminal, flag, option } = call;
  const format = formatOf(call);
  let printed = 0;
  let isFirst = true;
  for await (const page of collection.pages()) {
    const { next_cursor } = page.page;
    const isWhole = isFirst && next_cursor === null && option('cursor') === undefined;
    const rows = isWhole && format !== 'json' ? inOrder(page.data) : page.data;
    await printRows(call, columns(page), rows, page, isFirst);
    isFirst = false;
    printed += rows.length;
    noteWarnings(call, '', page.warnings);
    if (flag('all') || next_cursor === null) continue;
    // A page of a filtered list ends after a number of records that were read, also if none matched.
    const found = rows.length === 0 ? 'Nothing found so far.' : 'There are more.';
    if (format !== 'json') note(terminal, `${found} Use --all, or --cursor ${next_cursor}`);
    return;
  }
  if (printed === 0 && format === 'table') note(terminal, empty);
};
