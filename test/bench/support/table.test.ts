import { expect, it } from 'vitest';
import { goal, render, table } from '../../../bench/support/table.ts';

it('right-aligns numbers and left-aligns text, at the width of the longest cell or header', () => {
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
])('formats %s as "%s"', (value, text) => {
  const [, , , line = ''] = render(table('', [{ value, end: '|' }])).split('\n');

  expect(line.replace('|', '').trim()).toBe(text);
});

it('renders an empty cell for a column that a row does not have', () => {
  const lines = render(
    table('', [
      { mode: 'SQS', goal: null },
      { mode: 'HTTP', p99: 3 },
    ]),
  ).split('\n');

  expect(lines).toContain('  SQS');
  expect(lines).toContain('  HTTP          3');
});

it('meets a goal at its limit and misses it above', () => {
  expect(goal(4, 4)).toBe('≤ 4 met');
  expect(goal(4.01, 4)).toBe('≤ 4 MISSED');
});
