import { expect, it } from 'vitest';
import { dueChecks } from '../../../functions/ledger/rollups/dueChecks.ts';
import { LENGTH, startOf } from '../../../functions/ledger/rollups/grain.ts';

const NOON = Date.parse('2026-05-14T12:05:00Z');

it('checks the hour that is two hours old', () => {
  expect(dueChecks(NOON)).toEqual([
    { from: Date.parse('2026-05-14T10:00:00Z'), to: Date.parse('2026-05-14T11:00:00Z') },
  ]);
});

it('checks each day after one, eight and thirty days', () => {
  const day = startOf('day', NOON);
  const ages: number[] = [];
  for (let hour = 0; hour < 40 * 24; hour += 1) {
    const now = day + hour * LENGTH.hour + LENGTH.minute;
    const isChecked = dueChecks(now).some(({ from, to }) => from <= day && day + LENGTH.day <= to);
    if (isChecked) ages.push(Math.floor((now - day) / LENGTH.day));
  }

  expect(ages).toEqual([1, 8, 30]);
});
