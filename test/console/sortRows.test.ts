import { expect, it } from 'vitest';
import { nextOrder, type OrderValue, sortRows } from '../../console/src/components/tables/sortRows.ts';
import { orderIn, withOrder } from '../../console/src/components/tables/tableOrder.ts';

const ordered = (values: readonly OrderValue[], descending = false) =>
  sortRows(values, (value) => value, descending);

it.each([
  ['amounts by size, however they are written', ['10', '9.5', '-1', '0.25'], ['-1', '0.25', '9.5', '10']],
  ['names by their numbers', ['team-10', 'Team-2', 'ads'], ['ads', 'Team-2', 'team-10']],
  [
    'instants by time',
    ['2026-10-02T00:00:00Z', '2026-09-30T00:00:00Z'],
    ['2026-09-30T00:00:00Z', '2026-10-02T00:00:00Z'],
  ],
  ['counts by size', [100, 20, 3], [3, 20, 100]],
])('orders %s', (_, values, expected) => {
  expect(ordered(values)).toEqual(expected);
  expect(ordered(values, true)).toEqual(expected.toReversed());
});

it('leaves what is unknown at the end, whatever the direction', () => {
  expect(ordered([null, '2', undefined, '1'])).toEqual(['1', '2', null, undefined]);
  expect(ordered([null, '2', undefined, '1'], true)).toEqual(['2', '1', null, undefined]);
});

it('leaves rows with equal values in their order', () => {
  const rows = [
    { name: 'first', cost: '1.0' },
    { name: 'second', cost: '1' },
  ];
  expect(sortRows(rows, ({ cost }) => cost, true)).toEqual(rows);
});

it('turns round on the second choice of a column, and ends on the third', () => {
  const first = nextOrder(null, 'Cost', true);
  const second = nextOrder(first, 'Cost', true);
  expect([first, second, nextOrder(second, 'Cost', true)]).toEqual([
    { title: 'Cost', descending: true },
    { title: 'Cost', descending: false },
    null,
  ]);
  expect(nextOrder(second, 'Owner', false)).toEqual({ title: 'Owner', descending: false });
});

it('keeps the order of each table of a page in its URL, beside all else', () => {
  const groups = { title: 'A call: USD', descending: true };
  const members = { title: 'Name', descending: false };
  const search = withOrder(withOrder('days=14', 'Groups', groups), 'Members', members);

  expect(orderIn(search, 'Groups')).toEqual(groups);
  expect(orderIn(search, 'Members')).toEqual(members);
  expect(orderIn(search, 'Keys')).toBeNull();
  expect(withOrder(withOrder(search, 'Groups', null), 'Members', null)).toBe('days=14');
  expect(orderIn(withOrder(search, 'Groups', members), 'Groups')).toEqual(members);
});
