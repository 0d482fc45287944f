import { expect, it } from 'vitest';
import { parseCsv } from '../../console/src/pages/reconciliation/billRows.ts';
import { rowsOfCsv } from '../../functions/ingest/callLogs/csv.ts';
import { logBudget } from '../../functions/ingest/formats/callLog.ts';

const quoted = (cell: string): string =>
  /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

const TABLES: readonly (readonly (readonly string[])[])[] = [
  [
    ['model', 'cost'],
    ['gpt-4o', '0.5'],
  ],
  [
    ['Cost, in USD', 'model'],
    ['0,005', 'gpt-4o'],
  ],
  [
    ['a, b, c', 'Note; all', 'x'],
    ['text "quoted"', 'two\nlines', ''],
  ],
];

/** Bills in the console and call logs in the service are files of the same spreadsheets. */
it.each([',', ';', '\t'])(
  'reads tables with %j as call logs are read, whatever its header quotes',
  (separator) => {
    for (const [header = [], ...rows] of TABLES) {
      const text = [header, ...rows].map((cells) => cells.map(quoted).join(separator)).join('\r\n');
      const [names = [], ...lines] = parseCsv(text);

      expect([names, ...lines]).toEqual([header, ...rows]);
      expect(rowsOfCsv(text, logBudget(1_000))).toEqual(
        lines.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at]]))),
      );
    }
  },
);
