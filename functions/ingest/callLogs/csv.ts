import { type LogBudget, rowsOfTable } from '../formats/callLog.ts';

/** Spreadsheets of many countries write semicolons, because their decimals have commas. */
const DELIMITERS = [',', ';', '\t'];
/** The delimiter of a header: the one that it has most, outside of quotes. A name can have a comma: `"Cost, USD";Model`. */
const delimiterOf = (header: string): string => {
  const bare = header.replaceAll(/"[^"]*"/g, '');
  const countOf = (one: string): number => bare.split(one).length;
  return DELIMITERS.reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
};
/** A cell: quoted, with any text and doubled quotes, or as it is. */
const cellBefore = (delimiter: string): RegExp => new RegExp(`"((?:[^"]|"")*)"|[^"${delimiter}\\r\\n]*`, 'y');
/** A number as spreadsheets show it, which needs quotes: `"1,200"`. A number does not begin with 0: `0,005` has a decimal comma. */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;
/** Beside another delimiter, `1,200` can be 1.2. Two groups, or a decimal point, cannot. */
const CERTAINLY_GROUPED = /^[1-9]\d{0,2}(?:(?:,\d{3}){2,}(?:\.\d+)?|,\d{3}\.\d+)$/;
const LINE_END = /\r\n?|\n/y;
/** Names of columns. Text that is neither JSON nor a table has other characters in its first line. */
const COLUMN = /^[\w $@.,;()/-]{1,128}$/;

/** The lines of RFC 4180 in a text, or null for a quote that does not end a cell. */
const linesOf = (text: string, { items, records }: LogBudget): string[][] | null => {
  const [header = ''] = /[^\r\n]*/.exec(text) ?? [];
  const delimiter = delimiterOf(header);
  const cellPattern = cellBefore(delimiter);
  const grouped = delimiter === ',' ? GROUPED : CERTAINLY_GROUPED;
  const lines: string[][] = [];
  let line: string[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  for (;;) {
    items.spend();
    cellPattern.lastIndex = at;
    const [cell = '', quoted = cell] = cellPattern.exec(text) ?? [];
    line.push(grouped.test(quoted) ? quoted.replaceAll(',', '') : quoted.replaceAll('""', '"'));
    at += cell.length;
    if (text[at] === delimiter) {
      at += 1;
      continue;
    }
    LINE_END.lastIndex = at;
    const end = LINE_END.exec(text)?.[0];
    if (end === undefined && at < text.length) return null;
    if (line.length > 1 || line[0] !== '') {
      records.spend();
      lines.push(line);
    }
    line = [];
    at += end?.length ?? 0;
    if (end === undefined) return lines;
  }
};

/** The rows of a table in CSV, by the names in its first line. Null for any other text. Throws PAYLOAD_TOO_LARGE. */
export const rowsOfCsv = (text: string, budget: LogBudget): readonly Record<string, unknown>[] | null => {
  const [header = [], ...lines] = linesOf(text, budget) ?? [];
  if (header.length < 2 || !header.every((name) => COLUMN.test(name))) return null;
  return rowsOfTable(header, lines);
};
