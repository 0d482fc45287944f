import type { CsvConsumer } from '../../../../schemas/chargeback/focus.ts';
import { FORMULA_START, IGNORED_BEFORE, neutralizeFormula } from '../../../platform/shared/formulaGuard.ts';
import { type Cell, EMPTY } from '../focus/cells.ts';
import type { ColumnType } from '../focus/columns.ts';
import { literal, type Sql } from '../lines/sql.ts';

/** What a row is in a file. */
export interface Row {
  /** Texts of kinds, which the row has as `text0`, `text1` … */
  readonly texts: readonly Sql[];
  /** The columns of Parquet, or the line of a CSV file under its header. */
  readonly row: Sql;
}

/** A column of a CSV file. */
export interface CsvColumn extends Cell {
  readonly header: string;
  readonly type: ColumnType;
  /** The text of a cell. Default: {@link cellText}. */
  readonly format?: (cell: Sql, type: ColumnType) => Sql;
}

/** A semicolon is never part of the syntax of JSON, so what follows it is inside a string. */
const JSON_FORMULA = new RegExp(`(?<=[;|][${IGNORED_BEFORE.replace('"', '')}]*)[${FORMULA_START}]`, 'gu');

/** Escapes formula characters behind a semicolon in JSON text. The parsed value is the same. */
export const neutralizeJson = (json: string): string =>
  json.replace(JSON_FORMULA, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Functions of texts that SQL calls. */
export const csvFunctions = { neutralize_formula: neutralizeFormula, neutralize_json: neutralizeJson };

/** What precedes a formula character: nothing, or a character that is no ASCII letter or digit. */
const MAY_BE_FORMULA = `(^|[^0-9A-Za-z])[${FORMULA_START.replace('\\0', '\\x00').replace('\\u2212', '\u2212')}]`;
/** RFC 4180, and other characters that some locales and import dialogs separate by. */
const NEEDS_QUOTES = '[",;|\\t\\r\\n]';

/** One pattern selects the few texts that are changed: a call of a function outside of SQL is slow. Null is empty text. */
export const csvMacros: readonly Sql[] = [
  // A number of up to 18 digits is an integer of 64 bits, whose text takes a sixth of the time that 128 bits take.
  `CREATE MACRO fixed_text(amount) AS
    coalesce(TRY_CAST(amount AS DECIMAL(18, 12))::VARCHAR, amount::DECIMAL(38, 12)::VARCHAR)`,
  // The shortest decimal string.
  `CREATE MACRO amount_text(amount) AS regexp_replace(fixed_text(amount), '\\.?0+$', '')`,
  // With one fractional digit at least: readers that infer types read `1200` as an integer.
  `CREATE MACRO decimal_text(amount) AS regexp_replace(fixed_text(amount), '0{1,11}$', '')`,
  // As FOCUS requires: UTC with whole seconds.
  `CREATE MACRO instant_text(milliseconds) AS
    strftime(make_timestamp(milliseconds * 1000), '%Y-%m-%dT%H:%M:%SZ')`,
  `CREATE MACRO quoted(text) AS
    CASE WHEN regexp_matches(text, '${NEEDS_QUOTES}') THEN '"' || replace(text, '"', '""') || '"' ELSE text END`,
  `CREATE MACRO original_field(text) AS coalesce(quoted(text), '')`,
  `CREATE MACRO guarded_field(text) AS
    CASE WHEN regexp_matches(text, ${literal(`${NEEDS_QUOTES}|${MAY_BE_FORMULA}`)})
    THEN quoted(CASE WHEN regexp_matches(text, ${literal(MAY_BE_FORMULA)}) THEN neutralize_formula(text) ELSE text END)
    ELSE coalesce(text, '') END`,
  `CREATE MACRO guarded_json_field(text) AS
    coalesce(quoted(CASE WHEN regexp_matches(text, '[;|]') THEN neutralize_json(text) ELSE text END), '')`,
];

/** The text of a cell. */
export const cellText = (cell: Sql, type: ColumnType): Sql => {
  if (type === 'Decimal') return `decimal_text(${cell})`;
  return type === 'Date/Time' ? `instant_text(${cell})` : cell;
};

/** The field of a text for each consumer of a file. */
const fieldFor: Readonly<Record<CsvConsumer, Readonly<Record<'String' | 'JSON', string>>>> = {
  program: { String: 'original_field', JSON: 'original_field' },
  spreadsheet: { String: 'guarded_field', JSON: 'guarded_json_field' },
};

/** The field of a cell. Numbers and times need no guard and no quotes. */
const fieldOf = (cell: Sql, { type, format = cellText }: CsvColumn, consumer: CsvConsumer): Sql => {
  if (cell === EMPTY.kind) return "''";
  const text = format(cell, type);
  return type === 'String' || type === 'JSON'
    ? `${fieldFor[consumer][type]}(${text})`
    : `coalesce(${text}, '')`;
};

const joined = (fields: readonly Sql[]): Sql => `concat_ws(',', ${fields.join(', ')})`;

/** The header of a file. No header needs quotes. */
const csvHeader = (columns: readonly CsvColumn[]): string => columns.map(({ header }) => header).join(',');

/**
 * The line of a row, without its end. Neighbouring fields that follow from the kind are one text. One call joins the parts:
 * `||` would copy the growing line for each.
 */
export const csvRow = (columns: readonly CsvColumn[], consumer: CsvConsumer): Row => {
  const texts: Sql[] = [];
  const parts: Sql[] = [];
  const textOf = (text: Sql): Sql => `text${texts.push(text) - 1}`;
  let fields: Sql[] = [];
  const endFields = (): void => {
    if (fields.length > 0) parts.push(textOf(joined(fields)));
    fields = [];
  };
  for (const column of columns) {
    const { kind, isConstant, line } = column;
    if (line === undefined) fields.push(fieldOf(kind, column, consumer));
    else {
      endFields();
      parts.push(fieldOf(line(isConstant ? kind : textOf(kind)), column, consumer));
    }
  }
  endFields();
  return { texts, row: `${joined(parts)} AS "${csvHeader(columns)}"` };
};

/** Writes the lines of a query as a CSV file (RFC 4180): UTF-8 without a byte order mark, LF line ends, always with a header. */
export const copyCsv = (lines: Sql, path: string, compressed: boolean): Sql => `
  COPY (${lines}) TO ${literal(path)}
  (FORMAT csv, HEADER true, QUOTE '', ESCAPE '', DELIMITER '\x01', COMPRESSION ${compressed ? 'gzip' : 'none'})`;
