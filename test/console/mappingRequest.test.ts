import { expect, it } from 'vitest';
import { entriesOf } from '../../console/src/forms/entries.ts';
import { CONDITIONS_MAXIMUM, mappingRequestOf } from '../../console/src/pages/identity/mappingRequest.ts';

const condition = (row: number): [string, string][] => [
  [`field${row}`, 'identity'],
  [`operator${row}`, 'exact'],
  [`value${row}`, `team-${row}`],
];
const rows = Array.from({ length: CONDITIONS_MAXIMUM }, (_, row) => row);

it('keeps every condition that a mapping can have', () => {
  const request = mappingRequestOf(entriesOf(rows.flatMap(condition)), undefined);

  expect(request.conditions.map(({ value }) => value)).toEqual(rows.map((row) => `team-${row}`));
});

it('leaves out the rows without a value', () => {
  const request = mappingRequestOf(entriesOf([...condition(0), ...condition(2), ['value1', ' ']]), undefined);

  expect(request.conditions.map(({ value }) => value)).toEqual(['team-0', 'team-2']);
});

it.each([
  ['keeps the instant while the day is the same', '2026-03-01', '2026-03-01T14:30:00.000Z'],
  ['starts another day at midnight UTC', '2026-03-02', '2026-03-02T00:00:00Z'],
])('%s', (_, day, instant) => {
  const edited = { effective_from: '2026-03-01T14:30:00.000Z' };

  expect(mappingRequestOf(entriesOf([['effective_from', day]]), edited).effective_from).toBe(instant);
});
