import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  betweenOf,
  periodOf,
  periodsToEvaluate,
  periodsUntil,
} from '../../../functions/insight/budgets/budgetPeriod.ts';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';
import { BudgetPeriod } from '../../../schemas/insight/budgets.ts';

const DAY_MS = 86_400_000;
const at = (text: string): number => Date.parse(text);
const UTC_CALENDAR = calendarIn('UTC');
const days = (kind: Parameters<typeof periodOf>[0], text: string) => {
  const { from, to } = betweenOf(periodOf(kind, at(text), UTC_CALENDAR));
  return [from.slice(0, 10), to.slice(0, 10)];
};

describe('periodOf', () => {
  it.each([
    ['month', '2026-02-28T23:59:59.999Z', ['2026-02-01', '2026-03-01']],
    ['month', '2026-12-01T00:00:00Z', ['2026-12-01', '2027-01-01']],
    ['quarter', '2026-01-01T00:00:00Z', ['2026-01-01', '2026-04-01']],
    ['quarter', '2026-12-31T23:59:59Z', ['2026-10-01', '2027-01-01']],
    ['rolling_30d', '2026-03-01T12:00:00Z', ['2026-01-31', '2026-03-02']],
  ] as const)('returns the range of a %s budget at %s', (kind, text, expected) => {
    expect(days(kind, text)).toEqual(expected);
  });
});

describe('periodsToEvaluate', () => {
  const startsOf = (
    period: 'month' | 'rolling_30d',
    instants: readonly string[],
    now: string,
    createdAt: string,
  ) =>
    periodsToEvaluate({ period, created_at: createdAt }, instants.map(at), at(now), UTC_CALENDAR).map((one) =>
      betweenOf(one).from.slice(0, 10),
    );

  it.each([
    ['the month of a call', ['2026-05-20T10:00:00Z'], '2026-05-20T10:00:30Z', ['2026-05-01']],
    [
      'each month once',
      ['2026-05-20T10:00:00Z', '2026-05-01T00:00:00Z'],
      '2026-05-20T10:01:00Z',
      ['2026-05-01'],
    ],
    ['a month that ended seven days ago', ['2026-04-30T23:59:00Z'], '2026-05-08T00:00:00Z', ['2026-04-01']],
    ['no month that ended more than eight days ago', ['2026-04-30T23:59:00Z'], '2026-05-09T00:00:01Z', []],
    [
      'the next month when the clock of a producer is ahead',
      ['2026-06-01T00:03:00Z'],
      '2026-05-31T23:55:00Z',
      ['2026-06-01'],
    ],
    ['no month that ended exactly eight days ago', ['2026-04-30T23:59:00Z'], '2026-05-09T00:00:00Z', []],
    [
      'the month of a call that is just under 15 minutes ahead',
      ['2026-06-01T00:09:59Z'],
      '2026-05-31T23:55:00Z',
      ['2026-06-01'],
    ],
    ['no month when the call is 15 minutes ahead', ['2026-06-01T00:10:00Z'], '2026-05-31T23:55:00Z', []],
    ['no month when the call is a day ahead', ['2026-06-02T00:00:00Z'], '2026-05-31T23:55:00Z', []],
  ])('returns %s', (_, instants, now, expected) => {
    expect(startsOf('month', instants, now, '2026-01-01T00:00:00Z')).toEqual(expected);
  });

  it('leaves out a period that ended before the budget was created', () => {
    expect(
      startsOf('month', ['2026-04-30T12:00:00Z'], '2026-05-02T00:00:00Z', '2026-05-01T12:00:00Z'),
    ).toEqual([]);
  });

  it('leaves out a period that ended at the moment the budget was created', () => {
    const last = ['2026-04-30T12:00:00Z'];

    expect(startsOf('month', last, '2026-05-02T00:00:00Z', '2026-05-01T00:00:00Z')).toEqual([]);
    expect(startsOf('month', last, '2026-05-02T00:00:00Z', '2026-04-30T23:59:59.999Z')).toEqual([
      '2026-04-01',
    ]);
  });

  it('returns the current rolling period when one of several calls lies in it', () => {
    const calls = ['2026-04-01T00:00:00Z', '2026-05-30T00:00:00Z'];

    expect(startsOf('rolling_30d', calls, '2026-05-31T12:00:00Z', '2026-01-01T00:00:00Z')).toEqual([
      '2026-05-02',
    ]);
  });

  it('returns the current rolling period when a call lies in it', () => {
    const now = '2026-05-31T12:00:00Z';

    expect(startsOf('rolling_30d', ['2026-05-02T00:00:00Z'], now, now)).toEqual(['2026-05-02']);
    expect(startsOf('rolling_30d', ['2026-05-01T23:59:00Z'], now, now)).toEqual([]);
    expect(startsOf('rolling_30d', ['2026-06-01T00:05:00Z'], '2026-05-31T23:58:00Z', now)).toEqual([
      '2026-05-03',
    ]);
  });
});

it('the periods until an instant follow each other without a gap or an overlap', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...BudgetPeriod.options),
      fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2030-01-01') }),
      fc.integer({ min: 1, max: 12 }),
      (kind, at, count) => {
        const periods = periodsUntil(kind, at, count, UTC_CALENDAR);

        expect(periods).toHaveLength(count);
        expect(periods[0]).toEqual(periodOf(kind, at, UTC_CALENDAR));
        for (const [index, { from, to }] of periods.entries()) {
          expect((to - from) % DAY_MS).toBe(0);
          expect(periods[index + 1]?.to ?? from).toBe(from);
        }
      },
    ),
  );
});

describe('periodOf in a time zone', () => {
  it.each([
    ['month', 'Asia/Kolkata', '2026-10-31T18:30', '2026-11-30T18:30'],
    ['quarter', 'America/New_York', '2026-10-01T04:00', '2027-01-01T05:00'],
    ['rolling_30d', 'Europe/Berlin', '2026-10-16T22:00', '2026-11-15T23:00'],
  ] as const)('is a %s of %s', (kind, timeZone, from, to) => {
    const period = periodOf(kind, Date.parse('2026-11-15T12:00:00Z'), calendarIn(timeZone));

    expect([period.from, period.to].map((at) => new Date(at).toISOString().slice(0, 16))).toEqual([from, to]);
  });
});
