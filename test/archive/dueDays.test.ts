import { describe, expect, it } from 'vitest';
import { dueDays } from '../../functions/archive/closing/dueDays.ts';
import { DAY_MS } from '../../functions/shared/durations.ts';
import { MARCH } from './archiveFixture.ts';

const entry = (versions: number) => ({ day: '2026-03-15', manifest: 'manifests/one.json', versions });

describe('a day is due', () => {
  it.each([
    ['when it has no files', [], 2, [{ day: '2026-03-15', isLate: false }]],
    ['and late when it has no files four days after its start', [], 5, [{ day: '2026-03-15', isLate: true }]],
    ['when versions were added since', [entry(6)], 5, [{ day: '2026-03-15', isLate: false }]],
    ['not when its files have all versions', [entry(7)], 5, []],
  ])('%s', (_, archived, days, expected) => {
    expect(dueDays([{ start: MARCH, versions: 7 }], archived, MARCH + days * DAY_MS)).toEqual(expected);
  });
});
