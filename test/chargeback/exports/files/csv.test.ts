import { readFileSync, rmSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { copyCsv, csvRow } from '../../../../functions/chargeback/exports/files/csv.ts';
import { EMPTY } from '../../../../functions/chargeback/exports/focus/cells.ts';
import type { ColumnType } from '../../../../functions/chargeback/exports/focus/columns.ts';
import { type Database, withDatabase } from '../../../../functions/chargeback/exports/lines/database.ts';
import { neutralizeFormula, restoreFormula } from '../../../../functions/platform/shared/formulaGuard.ts';
import type { CsvConsumer } from '../../../../schemas/chargeback/focus.ts';
import { formatFixedPoint } from '../../../../schemas/fixedPoint.ts';

/** Characters that decide about a formula: what starts one, what may precede it, what separates cells. */
const relevant = fc.constantFrom(
  ...[
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '\0',
    '＝',
    '＋',
    '－',
    '＠',
    "'",
    '"',
    ' ',
    '\u00a0',
    '\u200b',
    '\ufeff',
  ],
  ...[';', ',', '|', 'a', '1'],
);

const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: relevant, maxLength: 12 }),
  fc
    .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", "''="), fc.string())
    .map(([first, rest]) => first + rest),
);

/** How a spreadsheet reads the text: split at a separator, without what it strips, in the plain form of each character. */
const readBy = (separator: string, text: string): string[] =>
  text.split(separator).map((cell) =>
    cell
      .replace(/^[\s\p{Cf}\p{Default_Ignorable_Code_Point}"]+/u, '')
      .normalize('NFKC')
      .replaceAll('\u2212', '-'),
  );

const SQL_TYPES: Partial<Record<ColumnType, string>> = { Decimal: 'DECIMAL(38,12)', 'Date/Time': 'BIGINT' };

/** The text of a CSV file with these rows. */
const csvOf = async (
  { connection, path, run }: Database,
  types: readonly ColumnType[],
  rows: readonly (readonly (string | null)[])[],
  consumer: CsvConsumer = 'spreadsheet',
): Promise<string> => {
  await run(
    `CREATE OR REPLACE TEMP TABLE cells (${types.map((_, index) => `c${index} VARCHAR`).join(', ')})`,
  );
  const appender = await connection.createAppender('cells');
  for (const row of rows) {
    for (const cell of row) {
      if (cell === null) appender.appendNull();
      else appender.appendVarchar(cell);
    }
    appender.endRow();
  }
  appender.closeSync();
  const columns = types.map((type, index) => ({
    header: `h${index}`,
    type,
    ...EMPTY,
    line: () => `c${index}::${SQL_TYPES[type] ?? 'VARCHAR'}`,
  }));
  const line = `SELECT ${csvRow(columns, consumer).row} FROM cells`;
  await run(copyCsv(line, path('file.csv'), false));
  const text = readFileSync(path('file.csv'), 'utf8');
  rmSync(path('file.csv'));
  return text;
};
const linesOf = async (...parameters: Parameters<typeof csvOf>): Promise<string> => {
  const text = await csvOf(...parameters);
  return text.slice(text.indexOf('\n') + 1);
};

describe('text cells', () => {
  /**
   * Sources: OWASP, CSV Injection (https://owasp.org/www-community/attacks/CSV_Injection): `= + - @`, tab, carriage return,
   * line feed, full-width forms, separators and quotes. OWASP ASVS 5.0 1.2.10: NUL. The other rows: import dialogs of
   * Excel, LibreOffice and Google Sheets, which trim spaces and drop invisible characters.
   */
  it.each([
    ['a formula', '=1+1', "'=1+1"],
    ['a plus', '+1', "'+1"],
    ['a minus', '-1', "'-1"],
    ['a Lotus function', '@SUM(A1)', "'@SUM(A1)"],
    ['a tab', '\t=1', "'\t'=1"],
    ['a carriage return', '\r=1', "'\r'=1"],
    ['a line feed', '\n=1', "'\n'=1"],
    ['NUL', '\0=1', "'\0=1"],
    ['a full-width equals sign', '＝1+1', "'＝1+1"],
    ['a full-width plus', '＋1', "'＋1"],
    ['a full-width minus', '－1', "'－1"],
    ['a full-width at sign', '＠SUM(A1)', "'＠SUM(A1)"],
    ['a small equals sign', '﹦1', "'﹦1"],
    ['a minus sign', '\u22121', "'\u22121"],
    ['leading spaces', '  =1', "'  =1"],
    ['a no-break space', '\u00a0=1', "'\u00a0=1"],
    ['an ideographic space', '\u3000=1', "'\u3000=1"],
    ['a zero-width space', '\u200b=1', "'\u200b=1"],
    ['a byte order mark', '\ufeff=1', "'\ufeff=1"],
    ['a soft hyphen', '\u00ad=1', "'\u00ad=1"],
    ['a Hangul filler', '\u3164=1', "'\u3164=1"],
    ['a right-to-left mark', '\u200f=1', "'\u200f=1"],
    ['quotes', '"=1"', `'"=1"`],
    ['an apostrophe', "'=1", "''=1"],
    ['a semicolon', 'x;=1', "x;'=1"],
    ['a semicolon and a space', 'x; =1', "x;' =1"],
    ['a comma', 'x,=1', "x,'=1"],
    ['a pipe', 'x|=1', "x|'=1"],
    ['a line feed within the text', 'x\n=1', "x\n'=1"],
  ])('get an apostrophe before a formula behind %s', (_, text, written) => {
    expect(neutralizeFormula(text)).toBe(written);
    expect(restoreFormula(written)).toBe(text);
  });

  it.each([
    "it's",
    "'quoted'",
    'team-search',
    'a=1',
    'Smith, Anna',
    'search; ranking',
    'gpt-4o',
    'äöü',
    '日本語',
    '',
  ])('are not changed when they start no formula: %j', (text) => {
    expect(neutralizeFormula(text)).toBe(text);
  });

  it('never start a formula for any separator, and removing the apostrophes restores the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const written = neutralizeFormula(text);

        for (const separator of [',', ';', '|', '\t', '\r', '\n', '\0\0']) {
          for (const cell of readBy(separator, written)) expect(cell).not.toMatch(/^[=+\-@]/);
        }
        expect(restoreFormula(written)).toBe(text);
      }),
    );
  });

  it('are read back unchanged by a CSV parser, with any characters', async () => {
    const pairs = fc.array(fc.array(texts, { minLength: 2, maxLength: 2 }), { minLength: 1 });
    await withDatabase((database) =>
      fc.assert(
        fc.asyncProperty(pairs, async (rows) => {
          const read = parse(await csvOf(database, ['String', 'String'], rows));

          expect(read).toEqual([['h0', 'h1'], ...rows.map((row) => row.map(neutralizeFormula))]);
        }),
      ),
    );
  });

  it('are read back as they were by a program, with any characters', async () => {
    const pairs = fc.array(fc.array(texts, { minLength: 2, maxLength: 2 }), { minLength: 1 });
    await withDatabase((database) =>
      fc.assert(
        fc.asyncProperty(pairs, async (rows) => {
          expect(parse(await linesOf(database, ['String', 'JSON'], rows, 'program'))).toEqual(rows);
        }),
      ),
    );
  });

  it('are quoted when they contain another separator', () =>
    withDatabase(async (database) => {
      expect(await linesOf(database, ['String'], [['a;b'], ['a|b']])).toBe('"a;b"\n"a|b"\n');
    }));
});

it('writes decimals exactly, instants in whole seconds, and null as an empty cell', () =>
  withDatabase(async (database) => {
    const rows = [
      ['0', '0'],
      ['1200', String(Date.parse('2026-10-14T12:34:56.789Z'))],
      ['0.000000000001', null],
      ['-0.000000000001', null],
      ['-1.5', null],
      ['10000000000000000000000000', null],
      [null, null],
    ];

    expect(await linesOf(database, ['Decimal', 'Date/Time'], rows)).toBe(
      [
        '0.0,1970-01-01T00:00:00Z',
        '1200.0,2026-10-14T12:34:56Z',
        '0.000000000001,',
        '-0.000000000001,',
        '-1.5,',
        '10000000000000000000000000.0,',
        ',\n',
      ].join('\n'),
    );
  }));

it('writes decimals of any number of digits exactly', () =>
  withDatabase((database) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }),
            fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }),
            fc.bigInt({ min: -100n, max: 100n }).map((whole) => whole * 10n ** 12n),
            fc.constantFrom(10n ** 18n - 1n, 10n ** 18n, -(10n ** 18n), 10n ** 11n, 10n ** 13n + 10n ** 11n),
          ),
          { minLength: 1 },
        ),
        async (amounts) => {
          const texts = amounts.map(formatFixedPoint);
          const rows = texts.map((text) => [text]);

          expect((await linesOf(database, ['Decimal'], rows)).trim().split('\n')).toEqual(
            texts.map((text) => (text.includes('.') ? text : `${text}.0`)),
          );
          expect(
            await database.rows(
              `SELECT amount_text(text::DECIMAL(38, 12)) AS text FROM (SELECT unnest([${texts.map((text) => `'${text}'`)}]) AS text)`,
              z.object({ text: z.string() }),
            ),
          ).toEqual(texts.map((text) => ({ text })));
        },
      ),
    ),
  ));

describe('JSON cells', () => {
  it('are not changed when no separator precedes a formula character', () =>
    withDatabase(async (database) => {
      expect(await linesOf(database, ['JSON'], [['{"owner":"=a"}']])).toBe('"{""owner"":""=a""}"\n');
    }));

  it('have no formula behind a semicolon, and the same value', async () => {
    const values = fc.dictionary(fc.string(), fc.oneof(texts, fc.integer(), fc.constant('; \u00a0=1')));
    await withDatabase((database) =>
      fc.assert(
        fc.asyncProperty(values, async (value) => {
          const [[written = ''] = []] = parse(await linesOf(database, ['JSON'], [[JSON.stringify(value)]]));

          for (const cell of readBy(';', written)) expect(cell).not.toMatch(/^[=+\-@]/);
          expect(JSON.parse(written)).toEqual(value);
        }),
      ),
    );
  });
});
