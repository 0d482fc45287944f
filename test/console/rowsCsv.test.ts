import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowsCsv } from '../../console/src/components/tables/rowsCsv.ts';
import { parseCsv } from '../../console/src/pages/reconciliation/billRows.ts';
import { restoreFormula } from '../../functions/platform/shared/formulaGuard.ts';

const SOURCE = join(import.meta.dirname, '../../console/src');
const sources = globSync('**/*.tsx', { cwd: SOURCE }).map((path) => ({
  path,
  text: readFileSync(join(SOURCE, path), 'utf8'),
}));

it('has all digits and the names of the API, and nothing for what is unknown', () => {
  expect(
    rowsCsv([
      {
        owner: 'ads, "EU"',
        cost_usd: '-0.000000000001',
        period: { from: 'a', to: 'b' },
        closed: null,
        tags: ['x'],
      },
      { owner: null, cost_usd: null, closed: { by: '=1+1' }, unpriced: 0 },
    ]),
  ).toBe(
    [
      'owner,cost_usd,period.from,period.to,tags,closed.by,unpriced',
      '"ads, ""EU""",-0.000000000001,a,b,"[""x""]",,',
      ",,,,,'=1+1,0",
      '',
    ].join('\r\n'),
  );
});

it('gives back every text, and none that a spreadsheet runs', () => {
  const text = fc.string({ minLength: 1, unit: fc.constantFrom(...'=+-@\t,;|"\'a1 \n') });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (names) => {
      const [, ...lines] = parseCsv(`${rowsCsv(names.map((name) => ({ name, other: 'x' })))}`);
      const cells = lines.map(([cell = '']) => cell);

      expect(cells.map(restoreFormula)).toEqual(names);
      expect(cells.filter((cell) => /^[=+@]/.test(cell))).toEqual([]);
    }),
  );
});

it('is offered beside every table', () => {
  const tables = sources.filter(({ text }) => text.includes('<table'));

  expect(tables.map(({ path }) => path).sort()).toEqual([
    'charts/columns/TimelineTable.tsx',
    'components/tables/Table.tsx',
  ]);
  expect(tables.filter(({ text }) => !text.includes('<CsvButton'))).toEqual([]);
});

it('says of every list that is read page by page whether it has more rows', () => {
  const lists = sources.filter(
    ({ text }) => /<(?:More|Listed|ListTable)\s/.test(text) && /Table|<CsvButton/.test(text),
  );
  // `ListTable` says it for the pages that use it.
  const ofOwnRows = lists.filter(({ text }) => /<(?:More|Listed)\s/.test(text));

  expect(lists.length).toBeGreaterThanOrEqual(12);
  expect(ofOwnRows.map(({ path }) => path)).toContain('components/tables/ListTable.tsx');
  expect(ofOwnRows.filter(({ text }) => !text.includes('hasMore=')).map(({ path }) => path)).toEqual([]);
});
