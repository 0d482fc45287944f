import { describe, expect, it } from 'vitest';
import { dueDays } from '../../../functions/ledger/archive/closing/dueDays.ts';
import type { Content } from '../../../functions/ledger/records/content.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import { DAY, MARCH } from './archiveFixture.ts';

const contentWith = (versions: number, digest = '0'): Content => ({
  versions,
  digest: digest.padStart(16, '0'),
});
const files = (versions: number, digest?: string) => ({
  day: DAY,
  manifest: 'manifests/one.json',
  ...contentWith(versions, digest),
});
const summed = (versions: number, digest?: string) => ({
  start: MARCH,
  content: contentWith(versions, digest),
});

const dueAfter = (
  days: number,
  scene: {
    readonly stored?: readonly ReturnType<typeof summed>[];
    readonly archived?: readonly ReturnType<typeof files>[];
    readonly months?: readonly string[];
  },
) =>
  dueDays(
    new Map((scene.stored ?? []).map(({ start, content }) => [start, content])),
    scene.archived ?? [],
    new Set(scene.months),
    { from: MARCH, to: MARCH + DAY_MS },
    MARCH + days * DAY_MS,
  );

describe('a day with records is due', () => {
  const stored = [summed(7)];
  it.each([
    ['when it has no files', [], 2, [{ day: DAY, isLate: false }]],
    ['and late when it has no files four days after its start', [], 5, [{ day: DAY, isLate: true }]],
    ['when versions were added since', [files(6)], 5, [{ day: DAY, isLate: false }]],
    ['when as many others were written in their place', [files(7, 'a')], 5, [{ day: DAY, isLate: false }]],
    ['not when its files have all versions', [files(7)], 60, []],
  ])('%s', (_, archived, days, expected) => {
    expect(dueAfter(days, { stored, archived })).toEqual(expected);
  });
});

it('is due when its records were removed and its files are left', () => {
  expect(dueAfter(2, { stored: [summed(0)], archived: [files(7)] })).toEqual([{ day: DAY, isLate: false }]);
});

describe('a day without a sum', () => {
  it('is due once its rows may expire soon, because it may not have been summed', () => {
    const months = ['2026-03'];
    expect(dueAfter(44, { months })).toEqual([]);
    expect(dueAfter(45, { months })).toEqual([{ day: DAY, isLate: false }]);
    expect(dueAfter(400, { months })).toEqual([{ day: DAY, isLate: false }]);
  });

  it('is not due again after it was found empty, nor in a month without records', () => {
    expect(dueAfter(60, { months: ['2026-03'], archived: [files(0)] })).toEqual([]);
    expect(dueAfter(60, { months: ['2026-02'] })).toEqual([]);
  });
});
