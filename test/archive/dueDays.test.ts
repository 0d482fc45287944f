import { describe, expect, it } from 'vitest';
import { dueDays } from '../../functions/archive/closing/dueDays.ts';
import { DAY_MS } from '../../functions/shared/time/durations.ts';
import { MARCH } from './archiveFixture.ts';

const entry = (versions: number, trim_at: number | null = null) => ({
  day: '2026-03-15',
  manifest: 'manifests/one.json',
  versions,
  trim_at,
});

describe('a day is due', () => {
  it.each([
    ['when it has no files', [], 2, [{ day: '2026-03-15', isLate: false }]],
    ['and late when it has no files four days after its start', [], 5, [{ day: '2026-03-15', isLate: true }]],
    ['when versions were added since', [entry(6)], 5, [{ day: '2026-03-15', isLate: false }]],
    ['not when its files have all versions', [entry(7)], 5, []],
    ['not while its rows must stay in the table', [entry(7, MARCH + 6 * DAY_MS)], 5, []],
    [
      'when its rows may leave the table',
      [entry(7, MARCH + 5 * DAY_MS)],
      5,
      [{ day: '2026-03-15', isLate: false }],
    ],
  ])('%s', (_, archived, days, expected) => {
    expect(dueDays([{ start: MARCH, versions: 7 }], archived, MARCH + days * DAY_MS)).toEqual(expected);
  });
});
