import { expect, it } from 'vitest';
import { billRowsOf, cellOf, parseCsv, textOf } from '../../console/src/pages/reconciliation/billRows.ts';
import type { BillRow } from '../../sdk/typescript/src/types.ts';

const HEADER = ['BilledCost', 'ServiceProviderName', 'ChargeDescription'];
const ROWS = [
  ['1234.5', 'OpenAI', 'text, with; a\ttab'],
  ['-7', 'Azure "EU"', 'two\nlines'],
];
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const fileOf = (separator: string, lines = '\n', rows: readonly (readonly string[])[] = ROWS): string =>
  [HEADER, ...rows].map((cells) => cells.map(quoted).join(separator)).join(lines);
const expected = ROWS.map(([BilledCost, ServiceProviderName, ChargeDescription]) => ({
  BilledCost,
  ServiceProviderName,
  ChargeDescription,
}));
const utf16 = (text: string, isBigEndian: boolean): Uint8Array => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};

it.each([',', ';', '\t'])('reads a file with the separator %j and any end of line', (separator) => {
  for (const lines of ['\n', '\r\n', '\r']) {
    expect(billRowsOf(`${fileOf(separator, lines)}${lines}`)).toEqual(expected);
  }
});

it.each<[string, (text: string) => Uint8Array]>([
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a byte order mark', (text) => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16', (text) => utf16(text, false)],
  ['UTF-16, the high byte first', (text) => utf16(text, true)],
])('reads a file in %s', async (_, bytesOf) => {
  const file = new Blob([new Uint8Array(bytesOf(`${fileOf('\t')}\n"0"\t"Zürich 東京"\t"x"`))]);

  expect(billRowsOf(await textOf(file)).at(-1)?.ServiceProviderName).toBe('Zürich 東京');
});

it.each([
  ['12,5', '12.5', ['12,5', '3']],
  ['1.234,56', '1234.56', ['1.234,56']],
  ['1 234,56', '1234.56', ['1 234,56']],
  ['1.234 in a column with commas', '1234', ['1.234', '0,5']],
  ['1.234 in a column without commas', '1.234', ['1.234', '12.5']],
  ['-0,005', '-0.005', ['-0,005']],
  ['0,5 beside a cell that is no amount', '0.5', ['0,5', '2,5', 'n/a']],
])('reads the amount %s of a file with semicolons as %s', (_, amount, costs) => {
  const text = fileOf(
    ';',
    '\n',
    costs.map((cost) => [cost, 'OpenAI', '']),
  );

  expect(billRowsOf(text)[0]?.BilledCost).toBe(amount);
});

it.each([';', '\t'])('leaves 1,234 beside %j to the service, because it can be 1234', (separator) => {
  expect(billRowsOf(fileOf(separator, '\n', [['1,234', 'OpenAI', '']]))[0]?.BilledCost).toBe('1,234');
});

it('leaves an amount with thousands in a file with commas to the service, which refuses it', () => {
  expect(billRowsOf(fileOf(',', '\n', [['1,234.56', 'OpenAI', '']]))[0]?.BilledCost).toBe('1,234.56');
});

it('sends each column under its name, and finds one of FOCUS in any spelling, and that of FOCUS first', () => {
  const [row = {}] = billRowsOf('billed_cost,Billed Cost,Tags\n1,2,');

  expect(row).toEqual({ billed_cost: '1', 'Billed Cost': '2' });
  expect(cellOf(row as BillRow, 'BilledCost')).toBe('1');
  expect(cellOf({ ...(row as BillRow), BilledCost: '3' }, 'BilledCost')).toBe('3');
});

it('reads decimal commas in the columns of any export, and leaves texts as they are', () => {
  const text = 'costInBillingCurrency;note\n12,5;1,5 and more\n3;text\n0,5;2,5';

  expect(billRowsOf(text)[0]).toEqual({ costInBillingCurrency: '12.5', note: '1,5 and more' });
});

it('keeps the columns of a row with quotes inside of a cell', () => {
  expect(parseCsv('a,b,c\n5" disk,"x" y,z')).toEqual([
    ['a', 'b', 'c'],
    ['5" disk', '"x" y', 'z'],
  ]);
});
