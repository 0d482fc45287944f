import { describe, expect, it } from 'vitest';
import { detectDeviation } from '../../../functions/insight/anomalies/deviation.ts';
import { samePlaceLastMonth } from '../../../functions/insight/anomalies/monthlyJob.ts';
import type { Series } from '../../../functions/insight/anomalies/series.ts';
import { LENGTH, startOf } from '../../../functions/ledger/rollups/grain.ts';
import { decimal } from '../../../functions/platform/shared/decimal.ts';
import type { AnomalyGrain } from '../../../schemas/insight/anomalies.ts';

/** A Wednesday. */
const NOON = Date.parse('2026-05-20T12:00:00Z');
const TODAY = startOf('day', NOON);
const ONE = decimal('1');

/** A series from a function of the hourly cost in USD. */
const seriesOf = (usd: (hour: number) => number, knownDays = 56): Series => {
  const since = TODAY - knownDays * LENGTH.day;
  const hours = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => from + index * LENGTH.hour);
  return {
    cost: (grain, start) =>
      hours(start, LENGTH[grain] / LENGTH.hour)
        .filter((hour) => hour >= since)
        .reduce((sum, hour) => sum.plus(decimal(usd(hour).toFixed(6))), decimal('0')),
    since,
    perCall: decimal('0.01'),
  };
};
const detectInSeries = (usd: (hour: number) => number, grain: AnomalyGrain = 'hour', knownDays = 56) =>
  detectDeviation(seriesOf(usd, knownDays), grain, grain === 'hour' ? NOON : TODAY, { minimum: ONE });

const weekday = (hour: number): number => new Date(hour).getUTCDay();

describe('detectDeviation for an hour', () => {
  it('reports an hour that costs five times as much as its baseline', () => {
    const deviation = detectInSeries((hour) => (hour === NOON ? 50 : 10));

    expect(deviation?.observed.toString()).toBe('50');
    expect(deviation?.central.toString()).toBe('10');
    expect(Number(deviation?.high.toString())).toBeGreaterThan(15);
    expect(deviation?.score).toBeGreaterThan(1);
  });

  it.each([10, 12, 14, 1])('returns null for a cost of %d USD when 10 USD is usual', (usd) => {
    expect(detectInSeries((hour) => (hour === NOON ? usd : 10))).toBeNull();
  });

  it('compares with the same hour of the week', () => {
    const onWednesdays = (hour: number) =>
      weekday(hour) === 3 && new Date(hour).getUTCHours() === 12 ? 100 : 5;

    expect(detectInSeries(onWednesdays)).toBeNull();
    expect(detectInSeries((hour) => (hour === NOON ? 100 : 5))).not.toBeNull();
  });

  it('ignores outliers in the baseline', () => {
    const outliers = [NOON - 7 * LENGTH.day, NOON - 14 * LENGTH.day];

    expect(detectInSeries((hour) => (hour === NOON || outliers.includes(hour) ? 50 : 10))).not.toBeNull();
  });

  it('does not report what happens every few weeks at about this time of day, but what is larger', () => {
    const peaks = [-5, -19, -33].map((day) => NOON + day * LENGTH.day + LENGTH.hour);
    const ofSize = (usd: number) =>
      detectInSeries((hour) => (hour === NOON ? usd : peaks.includes(hour) ? 50 : 10));

    expect(ofSize(50)).toBeNull();
    expect(ofSize(60)).not.toBeNull();
  });

  it('reports a cost that stays high, on each day', () => {
    const since = (days: number) => TODAY - days * LENGTH.day;
    const rise = (days: number) => (hour: number) => (hour >= since(days) ? 50 : 10);

    for (const days of [0, 1, 2, 3, 4]) expect(detectInSeries(rise(days))).not.toBeNull();
  });

  it('widens the range when the baseline hours vary a lot', () => {
    const volatile = (hour: number) =>
      hour === NOON ? 30 : ([3, 20][(hour / LENGTH.hour + weekday(hour)) % 2] ?? 0);

    expect(detectInSeries(volatile)).toBeNull();
    expect(detectInSeries((hour) => (hour === NOON ? 30 : 10))).not.toBeNull();
  });

  it('compares a usually idle hour with the range of a whole day', () => {
    const nightly = (usd: number) => (hour: number) =>
      hour === NOON ? usd : new Date(hour).getUTCHours() === 2 ? 20 : 0;

    expect(detectInSeries(nightly(19))).toBeNull();
    expect(detectInSeries(nightly(60))).toMatchObject({ low: decimal('0'), central: decimal('0') });
  });

  it('needs five days of history', () => {
    const spike = (hour: number) => (hour === NOON ? 100 : 10);

    expect([4, 5, 27, 28].map((days) => detectInSeries(spike, 'hour', days) !== null)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it('returns null when the excess is below the minimum', () => {
    const series = seriesOf((hour) => (hour === NOON ? 50 : 10));

    expect(detectDeviation(series, 'hour', NOON, { minimum: decimal('40') })).not.toBeNull();
    expect(detectDeviation(series, 'hour', NOON, { minimum: decimal('40.01') })).toBeNull();
  });

  it('multiplies the range by the scale', () => {
    const series = seriesOf((hour) => (hour === NOON ? 30 : 10));

    expect(detectDeviation(series, 'hour', NOON, { minimum: ONE })).not.toBeNull();
    expect(detectDeviation(series, 'hour', NOON, { minimum: ONE, scale: decimal('3') })).toBeNull();
  });
});

describe('detectDeviation for a day', () => {
  it('reports a drift that no single hour shows', () => {
    const drift = (hour: number) =>
      10 * (1 + 0.9 * Math.min(1, Math.max(0, 1 - (TODAY - hour) / (14 * LENGTH.day))));

    expect(detectInSeries(drift, 'day')).not.toBeNull();
  });

  it('compares with the same weekday', () => {
    const office = (hour: number) => ([0, 6].includes(weekday(hour)) ? 1 : 20);

    expect(detectInSeries(office, 'day')).toBeNull();
    const sunday = TODAY - 3 * LENGTH.day;
    const series = seriesOf((hour) => (startOf('day', hour) === sunday ? 20 : office(hour)));
    expect(detectDeviation(series, 'day', sunday, { minimum: ONE })).not.toBeNull();
  });

  it('compares a young series with its working days', () => {
    const office = (factor: number) => (hour: number) =>
      ([0, 6].includes(weekday(hour)) ? 1 : 20) * (startOf('day', hour) === TODAY ? factor : 1);

    expect(detectInSeries(office(1.2), 'day', 9)).toBeNull();
    expect(detectInSeries(office(3), 'day', 9)).not.toBeNull();
  });

  it('expects traffic that comes in sessions to vary', () => {
    // A session costs 40 calls. Some hours have none, some have several.
    const sessions = [0, 1, 0, 2, 1, 0, 3, 1, 0, 1, 2];
    const bursty = (hour: number) => 4 * (sessions[((hour / LENGTH.hour) * 7) % sessions.length] ?? 0) + 2;
    const at = (usd: number) => (hour: number) => (hour === NOON ? usd : bursty(hour));

    expect(detectInSeries(at(26))).toBeNull();
    expect(detectInSeries((hour) => (hour === NOON ? 26 : 6))).not.toBeNull();
    expect(detectInSeries(at(200))).not.toBeNull();
  });

  it('compares with the busy days when the series is mostly idle', () => {
    const busy = (hour: number) => hour === startOf('day', hour) && ((TODAY - hour) / LENGTH.day) % 9 === 3;
    const spent = (today: number) => (hour: number) => (hour === TODAY ? today : busy(hour) ? 50 : 0);

    expect(detectInSeries(spent(60), 'day')).toBeNull();
    expect(detectInSeries(spent(400), 'day')).not.toBeNull();
  });
});

describe('a job that runs each month', () => {
  const first = Date.parse('2026-06-01T02:00:00Z');
  const job = (day: number) => day === startOf('day', first) || day === Date.parse('2026-05-01T00:00:00Z');
  const usd = (hour: number) => 10 + (job(startOf('day', hour)) && new Date(hour).getUTCHours() < 8 ? 90 : 0);
  const since = Date.parse('2026-04-06T00:00:00Z');
  const series = (cost: (hour: number) => number): Series => ({ ...seriesOf(cost, 60), since });

  it.each(['hour', 'day'] as const)('is expected at the same place of the next month, by the %s', (grain) => {
    const start = startOf(grain, first);
    const twice = (hour: number) => usd(hour) * (startOf('day', hour) === startOf('day', first) ? 3 : 1);
    const without = (hour: number) => (startOf('day', hour) < startOf('day', first) ? 10 : usd(hour));

    expect(detectDeviation(series(usd), grain, start, { minimum: ONE })).toBeNull();
    expect(detectDeviation(series(twice), grain, start, { minimum: ONE })).not.toBeNull();
    expect(detectDeviation(series(without), grain, start, { minimum: ONE })).not.toBeNull();
  });

  it.each([
    ['the same date', '2026-06-16', '2026-05-16'],
    ['the last day', '2026-02-28', '2026-01-31'],
    ['the first working day', '2026-06-01', '2026-05-01'],
    ['the second working day', '2026-11-03', '2026-10-02'],
    ['the last working day', '2026-10-30', '2026-09-30'],
  ])('may run on %s of a month', (_, day, before) => {
    expect(samePlaceLastMonth(Date.parse(day))).toContain(Date.parse(before));
  });

  it('runs on no other day in the middle of a month', () => {
    expect(samePlaceLastMonth(Date.parse('2026-06-16'))).toEqual([Date.parse('2026-05-16')]);
  });
});
