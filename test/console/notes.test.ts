import { describe, expect, it } from 'vitest';
import { notesByInterval } from '../../console/src/charts/columns/notes.ts';
import { formatUsd } from '../../console/src/format/amount.ts';
import { priceChangeText } from '../../sdk/shared/priceChange.ts';

const note = (date: string, text = date) => ({ date, text });
const starting = (...starts: string[]) => starts.map((at) => ({ at }));

describe('the notes of a chart', () => {
  it.each([
    ['a day in its column', 'day', ['2026-11-12', '2026-11-13'], [['2026-11-12', '2026-11-12']]],
    [
      'a day in its first hour, where columns are hours',
      'hour',
      ['2026-11-12T00:00:00.000Z', '2026-11-12T01:00:00.000Z'],
      [['2026-11-12T00:00:00.000Z', '2026-11-12']],
    ],
    [
      'a day in its month, also in a short one',
      'month',
      ['2026-11-01', '2026-12-01'],
      [['2026-11-01', '2026-11-12']],
    ],
    ['no day outside of the columns', 'day', ['2026-11-11', '2026-11-13'], []],
  ] as const)('shows %s', (_what, length, starts, expected) => {
    expect([...notesByInterval([note('2026-11-12')], starting(...starts), length)]).toEqual(expected);
  });

  it('shows a moment in the column that it lies in', () => {
    const notes = notesByInterval(
      [note('2026-11-12T16:30:00.000Z', 'price')],
      starting('2026-11-12T16:00:00.000Z', '2026-11-12T17:00:00.000Z'),
      'hour',
    );

    expect([...notes]).toEqual([['2026-11-12T16:00:00.000Z', 'price']]);
  });

  it('joins the notes of one column in their order', () => {
    const notes = [note('2026-11-12', 'Release 2.4'), note('2026-11-12', 'Release 2.5')];

    expect([...notesByInterval(notes, starting('2026-11-12'), 'day').values()]).toEqual([
      'Release 2.4 · Release 2.5',
    ]);
  });
});

it('says which prices of a model changed, and what they were', () => {
  const before = { uncached_input: '2.5', cached_input: '0.25', cache_write: null, output: '15' };
  const change = {
    at: '2026-07-31T00:00:00.000Z',
    provider: 'openai',
    served_model: 'gpt-5.6-terra',
    before,
    now: { ...before, uncached_input: '2', cache_write: '2.5' },
  };

  expect(priceChangeText(change, formatUsd)).toBe(
    'List price of gpt-5.6-terra at openai: input from $2.50 to $2.00, cache writes from none to $2.50 a million tokens',
  );
});
