import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';
import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import { TimeZone } from '../../../schemas/tenants/timeZone.ts';

describe('a calendar', () => {
  it.each([
    ['UTC', '2026-03-29', 24],
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    // These days have no midnight.
    ['America/Santiago', '2026-09-06', 23],
    ['Asia/Beirut', '2026-03-29', 23],
    // Midnight comes twice.
    ['America/Havana', '2026-11-01', 25],
  ])('has for %s on %s a day of %s hours', (timeZone, date, hours) => {
    const calendar = calendarIn(timeZone);
    const start = calendar.startOfDate(date);

    expect((calendar.shift('day', start, 1) - start) / HOUR_MS).toBe(hours);
  });

  it('begins each date of each time zone at its first instant', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
        fc.integer({ min: Date.UTC(2024, 0) / DAY_MS, max: Date.UTC(2027, 0) / DAY_MS }),
        (timeZone, day) => {
          const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
          const { startOfDate, dateOf, startOf } = calendarIn(timeZone);
          const start = startOfDate(date);

          expect([dateOf(start), startOf('day', start)]).toEqual([date, start]);
          expect(dateOf(start - 1) < date).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('begins weeks on Monday, and quarters in January, April, July and October', () => {
    const { startOf, startOfDate, dateOf } = calendarIn('Pacific/Auckland');
    const at = startOfDate('2026-06-07');

    expect((['week', 'month', 'quarter', 'year'] as const).map((unit) => dateOf(startOf(unit, at)))).toEqual([
      '2026-06-01',
      '2026-06-01',
      '2026-04-01',
      '2026-01-01',
    ]);
  });
});

describe('the name of a time zone', () => {
  it.each(['UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('may be %s', (name) => {
    expect(TimeZone.safeParse(name).success).toBe(true);
  });

  it.each(['+05:30', 'Mars/Olympus', '', 'local', 'IST+5:30'])('is not %s', (name) => {
    expect(TimeZone.safeParse(name).success).toBe(false);
  });
});
