import { expect, it } from 'vitest';
import { goal, render, table } from '../../bench/table.ts';

it('aligns numbers to the right and text to the left, under the longer of head and cell', () => {
  const rows = [
    { item: 'SQS', usd: 0.48 },
    { item: 'API requests', usd: 1 },
  ];

  expect(render(table('Cost', rows, 'by list price'))).toBe(
    [
      'Cost',
      '  item            usd',
      '  ────────────  ─────',
      '  SQS           0.480',
      '  API requests      1',
      '  by list price',
      '',
    ].join('\n'),
  );
});

it.each([
  [1234.5, '1235'],
  [12.345, '12.3'],
  [0.012345, '0.0123'],
  [0, '0'],
  [7, '7'],
  [Number.NaN, '–'],
  [null, ''],
])('shows %s as "%s"', (value, text) => {
  const [, , , line = ''] = render(table('', [{ value, end: '|' }])).split('\n');

  expect(line.replace('|', '').trim()).toBe(text);
});

it('leaves a cell empty where a row has no such member', () => {
  const lines = render(
    table('', [
      { way: 'SQS', goal: null },
      { way: 'HTTP', p99: 3 },
    ]),
  ).split('\n');

  expect(lines).toContain('  SQS');
  expect(lines).toContain('  HTTP          3');
});

it('says whether a goal is met, its limit included', () => {
  expect(goal(4, 4)).toBe('≤ 4 met');
  expect(goal(4.01, 4)).toBe('≤ 4 MISSED');
});
