import { describe, expect, it } from 'vitest';
import { type RangeQuery, rangeBefore, rangeOf } from '../../../functions/insight/reports/range.ts';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';

const NOW = Date.parse('2026-05-14T10:37:12.345Z');

const shown = (query: RangeQuery): string[] => {
  const { from, to } = rangeOf(query, NOW, calendarIn('UTC'));
  return [from, to].map((at) => new Date(at).toISOString().slice(0, 16));
};

describe('rangeOf', () => {
  it.each<[string, RangeQuery, string[]]>([
    ['thirty whole days and today by default', {}, ['2026-04-14T00:00', '2026-05-14T11:00']],
    ['the given days', { from: '2026-03-01', to: '2026-04-01' }, ['2026-03-01T00:00', '2026-04-01T00:00']],
    ['thirty days before its end', { to: '2026-04-01' }, ['2026-03-01T00:00', '2026-04-01T00:00']],
    [
      'instants with an offset in UTC',
      { from: '2026-03-01T01:00:00+01:00', to: '2026-03-01T05:00:00Z' },
      ['2026-03-01T00:00', '2026-03-01T05:00'],
    ],
    [
      'the given minutes',
      { from: '2026-03-01T00:01Z', to: '2026-03-01T04:59Z' },
      ['2026-03-01T00:01', '2026-03-01T04:59'],
    ],
    [
      'a day in India',
      { from: '2026-03-01T00:00+05:30', to: '2026-03-02T00:00+05:30' },
      ['2026-02-28T18:30', '2026-03-01T18:30'],
    ],
    ['25 months', { from: '2024-04-01', to: '2026-05-01' }, ['2024-04-01T00:00', '2026-05-01T00:00']],
  ])('returns %s', (_name, query, expected) => {
    expect(shown(query)).toEqual(expected);
  });

  it.each<[string, RangeQuery]>([
    ['seconds', { from: '2026-03-01T00:00:30Z' }],
    ['text that is not a date', { from: 'yesterday' }],
    ['an end before the start', { from: '2026-03-02', to: '2026-03-01' }],
    ['an end at the start', { from: '2026-03-01', to: '2026-03-01' }],
    ['a start in the future', { from: '2026-06-01' }],
    ['more than 25 months', { from: '2024-04-01', to: '2026-05-02' }],
    ['more than 31 days with hourly intervals', { from: '2026-03-01', to: '2026-04-02', interval: 'hour' }],
    ['more than 31 days grouped by hour', { from: '2026-03-01', to: '2026-04-02', group_by: ['hour'] }],
  ])('rejects %s', (_name, query) => {
    expect(() => rangeOf(query, NOW, calendarIn('UTC'))).toThrow(/INVALID_REQUEST/);
  });

  it.each<[string, RangeQuery, string[]]>([
    [
      '31 days by the hour',
      { from: '2026-03-01', to: '2026-04-01', interval: 'hour' },
      ['2026-03-01T00:00', '2026-04-01T00:00'],
    ],
    [
      'more than 31 days grouped by a field that is not the hour',
      { from: '2026-03-01', to: '2026-05-01', group_by: ['day'], interval: 'day' },
      ['2026-03-01T00:00', '2026-05-01T00:00'],
    ],
    [
      '25 months and the hour that has begun',
      { from: '2024-04-01', to: '2026-05-01T00:30Z' },
      ['2024-04-01T00:00', '2026-05-01T00:30'],
    ],
    [
      'thirty days before today when it ends later',
      { to: '2026-06-01' },
      ['2026-04-14T00:00', '2026-06-01T00:00'],
    ],
  ])('accepts %s', (_name, query, expected) => {
    expect(shown(query)).toEqual(expected);
  });

  it.each<[string, RangeQuery, string, string[]]>([
    ['seconds', { to: '2026-03-01T00:00:30Z' }, 'to must be on a whole minute.', ['to']],
    ['no time', { from: '2026-03-02', to: '2026-03-01' }, 'from must be before to.', ['from', 'to']],
    [
      'more than 25 months and an hour',
      { from: '2024-04-01', to: '2026-05-01T01:01Z' },
      'A report covers at most 25 months. Choose a shorter range.',
      ['from', 'to'],
    ],
    [
      'more than 31 days by the hour',
      { from: '2026-03-01', to: '2026-04-01T00:01Z', interval: 'hour' },
      'An hourly report covers at most 31 days. Choose a shorter range.',
      ['from', 'to'],
    ],
  ])('says what is wrong with a range of %s', (_name, query, detail, parameters) => {
    expect(() => rangeOf(query, NOW, calendarIn('UTC'))).toThrow(
      expect.objectContaining({
        detail,
        options: { errors: parameters.map((parameter) => ({ parameter, detail })) },
      }),
    );
  });
});

describe('rangeOf in a time zone', () => {
  it.each([
    ['Asia/Kolkata', '2026-03-01', '2026-02-28T18:30'],
    ['Asia/Kathmandu', '2026-03-01', '2026-02-28T18:15'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00'],
    ['Pacific/Kiritimati', '2026-03-01', '2026-02-28T10:00'],
  ])('begins a date at its start in %s', (timeZone, from, expected) => {
    const range = rangeOf({ from, to: '2026-04-01T00:00Z' }, NOW, calendarIn(timeZone));

    expect(new Date(range.from).toISOString().slice(0, 16)).toBe(expected);
  });

  it('rejects more than 93 days by day, which are read by the hour', () => {
    const query = { from: '2026-01-01', to: '2026-04-05', interval: 'day' } as const;

    expect(() => rangeOf(query, NOW, calendarIn('Asia/Kolkata'))).toThrow(/INVALID_REQUEST/);
    expect(() => rangeOf(query, NOW, calendarIn('UTC'))).not.toThrow();
  });
});

describe('rangeBefore', () => {
  const LATER = '2027-06-01T00:00Z';
  const NOON = '2026-11-26T12:00Z';

  it.each<[string, string, string, string | undefined, string, string, string]>([
    ['a month', 'UTC', '2026-03-01', '2026-04-01', LATER, '2026-02-01T00:00', '2026-03-01T00:00'],
    ['November', 'UTC', '2026-11-01', '2026-12-01', LATER, '2026-10-01T00:00', '2026-11-01T00:00'],
    ['a quarter', 'UTC', '2026-04-01', '2026-07-01', LATER, '2026-01-01T00:00', '2026-04-01T00:00'],
    ['a year', 'UTC', '2026-01-01', '2027-01-01', LATER, '2025-01-01T00:00', '2026-01-01T00:00'],
    ['a week', 'UTC', '2026-03-02', '2026-03-09', LATER, '2026-02-23T00:00', '2026-03-02T00:00'],
    ['ten days', 'UTC', '2026-03-11', '2026-03-21', LATER, '2026-03-01T00:00', '2026-03-11T00:00'],
    ['hours', 'UTC', '2026-03-11T04:00Z', '2026-03-11T07:00Z', LATER, '2026-03-11T01:00', '2026-03-11T04:00'],
    [
      'a month of a time zone',
      'Asia/Kolkata',
      '2026-03-01',
      '2026-04-01',
      LATER,
      '2026-01-31T18:30',
      '2026-02-28T18:30',
    ],
    [
      'a week in which the clocks change',
      'Europe/Berlin',
      '2026-03-30',
      '2026-04-06',
      LATER,
      '2026-03-22T23:00',
      '2026-03-29T22:00',
    ],
    ['the current month', 'UTC', '2026-11-01', '2026-12-01', NOON, '2026-10-01T00:00', '2026-10-26T12:00'],
    [
      'the current month without an end',
      'UTC',
      '2026-11-01',
      undefined,
      NOON,
      '2026-10-01T00:00',
      '2026-10-26T12:00',
    ],
    [
      'the current quarter without an end',
      'UTC',
      '2026-10-01',
      undefined,
      NOON,
      '2026-07-01T00:00',
      '2026-08-26T12:00',
    ],
    [
      'the current week without an end',
      'UTC',
      '2026-11-23',
      undefined,
      NOON,
      '2026-11-16T00:00',
      '2026-11-19T12:00',
    ],
    [
      'the 30th in a month after a short one',
      'UTC',
      '2026-03-01',
      '2026-04-01',
      '2026-03-30T12:00Z',
      '2026-02-01T00:00',
      '2026-03-01T00:00',
    ],
  ])('is the period before %s', (_name, timeZone, from, to, now, ...expected) => {
    const calendar = calendarIn(timeZone);
    const query = { from, ...(to !== undefined && { to }) };
    const range = rangeOf(query, Date.parse(now), calendar);

    const before = rangeBefore(query, range, calendar, Date.parse(now));

    expect([before.from, before.to].map((at) => new Date(at).toISOString().slice(0, 16))).toEqual(expected);
  });
});
