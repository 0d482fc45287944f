import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { ExportRequest } from '../../schemas/chargeback/focus.ts';
import { reportFields } from '../../schemas/insight/reports.ts';
import { exportFocus } from '../../sdk/cli/src/commands/export.ts';
import { usage } from '../../sdk/cli/src/commands/usage.ts';
import { type Column, csvRow, csvTitles, tableOf } from '../../sdk/cli/src/table.ts';
import type { Terminal } from '../../sdk/cli/src/terminal.ts';
import { safeJson, shortAmount } from '../../sdk/cli/src/text.ts';
import { quotient } from '../../sdk/shared/decimal.ts';
import { withJoinedValues } from '../../sdk/shared/joinedValues.ts';
import { createClient } from '../../sdk/typescript/src/index.ts';
import { readOptions } from '../../tools/start/options.ts';

it.each([
  ['974.634567891234', '974.63'],
  ['0.0065', '0.0065'],
  ['0.006512345678', '0.006512'],
  ['0.000000000072', '0.000000000072'],
  ['0.999999', '1.00'],
  ['-12.3456', '-12.35'],
  ['0.10004', '0.10'],
  ['99999999999999999.999', '100000000000000000.00'],
  ['1200', '1200'],
  ['0', '0'],
])('shows the amount %s as %s', (amount, short) => {
  expect(shortAmount(amount)).toBe(short);
});

it.each([
  ['1', 3, '0.333333333333'],
  ['2', 3, '0.666666666667'],
  ['0.0000000000005', 1, '0.000000000001'],
  ['10', 5, '2'],
  ['10', 0, null],
  [null, 5, null],
])('divides %s among %s calls', (amount, count, each) => {
  expect(quotient(amount, count)).toBe(each);
});

const columns: readonly Column<{ readonly name: string | null; readonly cost: string | null }>[] = [
  { title: 'NAME', value: ({ name }) => name, absent: '-' },
  { title: 'COST USD', value: ({ cost }) => cost, isAmount: true, remark: () => ' + 1 unknown' },
];
const rows = [
  { name: 'a\u001b[2J\u202eb\u061c', cost: '1.23456' },
  { name: null, cost: null },
];

it('a table shows no character that could control a terminal, and no unknown amount as 0', () => {
  expect(tableOf(columns, rows)).toEqual([
    'NAME               COST USD',
    'a\ufffd[2J\ufffdb\ufffd  1.235 + 1 unknown',
    '-                   unknown',
  ]);
});

it('CSV has all digits, quotes what needs it, and no text that a spreadsheet runs', () => {
  const texts = [
    'Smith, "Ann"',
    '=1+1',
    '-5 items',
    '-0.5',
    'line\nbreak',
    'line\n=1',
    '\uff1d1',
    '\u2212x',
    'x;=1',
    ' =1',
    '\u200b@x',
  ];
  const csv = texts.map((name) => csvRow(columns, { name, cost: '1.23456' }));

  expect(csvTitles(columns)).toBe('name,cost_usd');
  expect(csv).toEqual([
    '"Smith, ""Ann""",1.23456',
    "'=1+1,1.23456",
    "'-5 items,1.23456",
    '-0.5,1.23456',
    '"line\nbreak",1.23456',
    `"line\n'=1",1.23456`,
    "'\uff1d1,1.23456",
    "'\u2212x,1.23456",
    `"x;'=1",1.23456`,
    "' =1,1.23456",
    "'\u200b@x,1.23456",
  ]);
  expect(csvRow(columns, { name: null, cost: null })).toBe(',');
});

it('a range is short in a table, and has a column for each end in CSV', () => {
  const ranges: readonly Column<{ readonly low: string | null; readonly high: string | null }>[] = [
    { title: 'COST USD', range: (row) => row, isAmount: true, remark: () => ' + 1 unknown' },
    { title: 'SHARE', range: ({ low }) => (low === null ? null : { low, high: low }) },
  ];
  const cases = [
    { low: '0.740082578571', high: '1.03611561' },
    { low: '2', high: '2' },
    { low: '0', high: null },
    { low: null, high: '1' },
  ];

  expect(tableOf(ranges, cases)).toEqual([
    '                   COST USD  SHARE',
    '0.7401 to 1.036 + 1 unknown  0.740082578571',
    '              2 + 1 unknown  2',
    '                    unknown  0',
    '                    unknown  unknown',
  ]);
  expect([csvTitles(ranges), ...cases.map((row) => csvRow(ranges, row))]).toEqual([
    'cost_usd_low,cost_usd_high,share_low,share_high',
    '0.740082578571,1.03611561,0.740082578571,0.740082578571',
    '2,2,2,2',
    '0,,0,0',
    ',1,,',
  ]);
});

it('JSON keeps every text, without characters that control a terminal or end a line', () => {
  const value = { a: '\u061c\u001b\u009b\u2028\u202e\n"é🙂' };

  expect(JSON.parse(safeJson(value))).toEqual(value);
  expect(safeJson(value)).toBe('{"a":"\\u061c\\u001b\\u009b\\u2028\\u202e\\n\\"é🙂"}');
});

it('a value can begin with a minus, as documented', () => {
  const options = { sort: { type: 'string' }, all: { type: 'boolean' } } as const;

  expect(withJoinedValues(['--sort', '-cost_usd', '--all'], options)).toEqual(['--sort=-cost_usd', '--all']);
  expect(withJoinedValues(['--sort', '--all'], options)).toEqual(['--sort', '--all']);
  expect(withJoinedValues(['--all', '-x', '--', '--sort', '-y'], options)).toEqual([
    '--all',
    '-x',
    '--',
    '--sort',
    '-y',
  ]);
  expect(readOptions(['--clock-offset', '-86400'], {}).clockOffset).toBe(-86_400);
});

it('the report can be grouped by all fields of the contract', () => {
  expect(usage.options['group-by']?.values).toEqual(reportFields);
});

it('has an option for each member of an export', () => {
  const renamed: Readonly<Record<string, readonly string[]>> = {
    format: [],
    period: ['from', 'to'],
    file_format: ['format'],
    delivery: ['destination', 'delivery-name'],
  };
  const names = Object.keys(ExportRequest.shape).flatMap(
    (member) => renamed[member] ?? member.replaceAll('_', '-'),
  );

  expect(Object.keys(exportFocus.options)).toEqual(expect.arrayContaining(names));
});

it('names no folder after what a hostile service answers', async () => {
  const job = { type: 'focus_export', job_id: '../../.ssh', status: 'succeeded', result_urls: [] };
  const client = createClient({
    baseUrl: 'https://hostile.example',
    credential: { apiKey: 'ask_one' },
    fetch: async () => Response.json({ ...job, manifest_url: 'https://a.example/m', metadata_url: 'x' }),
  });
  const terminal: Terminal = {
    env: {},
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    readSecret: () => Promise.reject(new Error('no secret is asked for')),
    signal: new AbortController().signal,
    now: Date.now,
  };

  await expect(
    exportFocus.run({
      terminal,
      client: () => client,
      option: (name) => (name === 'job' ? 'job_one' : undefined),
      options: () => [],
      flag: () => false,
      argument: '',
    }),
  ).rejects.toThrow('no valid id: ../../.ssh');
});
