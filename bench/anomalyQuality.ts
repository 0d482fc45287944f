import { detectDeviation, type Series } from '../functions/anomalies/deviation.ts';
import { LENGTH } from '../functions/rollups/grain.ts';
import { type Decimal, decimal } from '../functions/shared/decimal.ts';
import type { AnomalyGrain } from '../schemas/anomalies.ts';
import { type Table, table } from './table.ts';

const WEEK = 7 * LENGTH.day;
/** A Monday. */
const BEGINNING = Date.UTC(2026, 0, 5);
const HISTORY_WEEKS = 8;
const EVALUATED_WEEKS = 4;
const HOURS = ((HISTORY_WEEKS + EVALUATED_WEEKS) * WEEK) / LENGTH.hour;
const FIRST_EVALUATED_HOUR = (HISTORY_WEEKS * WEEK) / LENGTH.hour;
const MINIMUM: Readonly<Record<AnomalyGrain, Decimal>> = { hour: decimal('1'), day: decimal('5') };
/** Findings of one series that lie closer together are one, as the service counts them. */
const PAUSE_HOURS = 3;
const SPIKE_HOURS = 4;
/** A drift grows evenly to its multiple over so many hours, and stays there. */
const DRIFT_HOURS = (3 * WEEK) / LENGTH.hour;

/** Uniform in [0, 1), the same for the same seed (mulberry32; T. Ettinger). */
export const seededRandom = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
type Random = ReturnType<typeof seededRandom>;

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Poisson by its exponential gaps; by the normal it becomes where it is large. */
const poisson = (random: Random, mean: number): number => {
  if (mean > 200) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  let count = -1;
  for (let sum = 0; sum <= mean; count += 1) sum -= Math.log(1 - random());
  return Math.max(0, count);
};

/** How a kind of series behaves. */
interface SeriesKind {
  readonly name: string;
  /** Mean calls of an hour by its place in the week, before noise. */
  readonly calls: (hourOfWeek: number) => number;
  readonly usdPerCall: number;
  /** Standard deviation of the logarithm of the level, hour by hour, beyond what chance gives calls. */
  readonly noise: number;
  /** Share by which the level grows each week. */
  readonly growth: number;
}

const isWeekend = (hour: number): boolean => hour >= 120;
const office = (hour: number): number => {
  const time = hour % 24;
  const day = time >= 8 && time < 19 ? 1 : time >= 6 && time < 22 ? 0.35 : 0.08;
  return isWeekend(hour) ? day * 0.15 : day;
};

export const kinds: readonly SeriesKind[] = [
  { name: 'round the clock', calls: () => 400, usdPerCall: 0.02, noise: 0.15, growth: 0 },
  { name: 'office hours', calls: (hour) => 900 * office(hour), usdPerCall: 0.02, noise: 0.2, growth: 0.01 },
  {
    name: 'restless',
    calls: (hour) => 300 * (0.4 + office(hour)),
    usdPerCall: 0.05,
    noise: 0.4,
    growth: 0.02,
  },
  {
    name: 'nightly batch',
    calls: (hour) => (hour % 24 === 2 ? 2_000 : 0),
    usdPerCall: 0.03,
    noise: 0.15,
    growth: 0,
  },
  { name: 'few dear calls', calls: (hour) => 3 * office(hour), usdPerCall: 2, noise: 0.3, growth: 0 },
  { name: 'now and then', calls: () => 0.08, usdPerCall: 5, noise: 0.3, growth: 0 },
];

/** USD by hour. */
const generate = (
  { calls, usdPerCall, noise, growth }: SeriesKind,
  random: Random,
): { usd: number; calls: number }[] => {
  let drift = 0;
  return Array.from({ length: HOURS }, (_, hour) => {
    // Levels of neighbouring hours hang together, as those of real traffic do.
    drift = 0.7 * drift + Math.sqrt(1 - 0.49) * noise * normal(random);
    const level = (1 + growth) ** (hour / 168) * Math.exp(drift - noise ** 2 / 2);
    const count = poisson(random, calls(hour % 168) * level);
    // The sum of lognormal calls (σ = 1), by the normal law with the skew of a gamma where they are few.
    let usd = 0;
    if (count > 50) usd = count + Math.sqrt(count * (Math.E - 1)) * normal(random);
    else for (let call = 0; call < count; call += 1) usd += Math.exp(normal(random) - 0.5);
    return { usd: Math.max(0, usd) * usdPerCall, calls: count };
  });
};

const seriesOf = (hours: readonly { usd: number; calls: number }[]): Series => {
  const cost = hours.map(({ usd }) => decimal(usd.toFixed(6)));
  const days = Array.from({ length: hours.length / 24 }, (_, day) =>
    cost.slice(24 * day, 24 * day + 24).reduce((sum, one) => sum.plus(one)),
  );
  const past = hours.slice(0, FIRST_EVALUATED_HOUR);
  const [usd, calls] = [
    past.reduce((sum, one) => sum + one.usd, 0),
    past.reduce((sum, one) => sum + one.calls, 0),
  ];
  const zero = decimal('0');
  const first = days.findIndex((day) => day.gt(zero));
  return {
    cost: (grain, start) =>
      (grain === 'hour' ? cost[(start - BEGINNING) / LENGTH.hour] : days[(start - BEGINNING) / LENGTH.day]) ??
      zero,
    since: BEGINNING + Math.max(0, first) * LENGTH.day,
    perCall: decimal((usd / Math.max(1, calls)).toFixed(6)),
  };
};

/** The hours (from the beginning) at which findings of a series begin between two of them. */
const findingsBetween = (series: Series, from: number, to: number): number[] => {
  const found: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const note = (hour: number, end: number): void => {
    if (hour > last + PAUSE_HOURS) found.push(hour);
    last = Math.max(last, end);
  };
  for (let hour = from; hour < to; hour += 1) {
    const start = BEGINNING + hour * LENGTH.hour;
    if (detectDeviation(series, 'hour', start, { minimum: MINIMUM.hour }) !== null) note(hour, hour + 1);
    if (hour % 24 !== 23) continue;
    const day = start - 23 * LENGTH.hour;
    if (detectDeviation(series, 'day', day, { minimum: MINIMUM.day }) !== null) note(hour - 23, hour + 24);
  }
  return found;
};

export interface Quality {
  readonly kind: string;
  readonly seriesWeeks: number;
  /** Findings in a week of a series in which nothing was planted. */
  readonly falseAlarms: number;
  /** Share of planted spikes (four hours at a multiple of their level) that were found, by multiple. */
  readonly spikes: ReadonlyMap<number, number>;
  /** Share of planted drifts (to a multiple within three weeks) that were found, by multiple, and after how many days. */
  readonly drifts: ReadonlyMap<number, { readonly found: number; readonly days: number }>;
}

const SPIKES = [2, 3, 5];
const DRIFTS = [1.5, 2, 3];

/** Plants anomalies in generated series and counts what is found. */
export const qualityOf = (kind: SeriesKind, count: number, seed: number): Quality => {
  const random = seededRandom(seed);
  let alarms = 0;
  const spikes = new Map(SPIKES.map((multiple) => [multiple, 0]));
  const drifts = new Map(DRIFTS.map((multiple) => [multiple, [] as number[]]));
  for (let index = 0; index < count; index += 1) {
    const hours = generate(kind, random);
    const clean = findingsBetween(seriesOf(hours), FIRST_EVALUATED_HOUR, HOURS);
    alarms += clean.length;
    // Where there is anything to multiply: a spike of nothing is nothing.
    let from = 0;
    do from = FIRST_EVALUATED_HOUR + Math.floor(random() * (HOURS - FIRST_EVALUATED_HOUR - 48));
    while (hours.slice(from, from + SPIKE_HOURS).every(({ usd }) => usd === 0));
    const planted = (multiple: (hour: number) => number): Series =>
      seriesOf(hours.map(({ usd, calls }, hour) => ({ usd: usd * multiple(hour), calls })));
    for (const multiple of SPIKES) {
      const series = planted((hour) => (hour >= from && hour < from + SPIKE_HOURS ? multiple : 1));
      const day = Math.floor(from / 24) * 24;
      const isFound =
        findingsBetween(series, day, day + 48).length >
        findingsBetween(seriesOf(hours), day, day + 48).length;
      spikes.set(multiple, (spikes.get(multiple) ?? 0) + (isFound ? 1 : 0));
    }
    for (const multiple of DRIFTS) {
      const grown = (hour: number): number =>
        Math.min(1, Math.max(0, (hour - FIRST_EVALUATED_HOUR) / DRIFT_HOURS));
      const series = planted((hour) => 1 + (multiple - 1) * grown(hour));
      const [first] = findingsBetween(series, FIRST_EVALUATED_HOUR, HOURS).filter(
        (hour) => !clean.includes(hour),
      );
      if (first !== undefined) drifts.get(multiple)?.push((first - FIRST_EVALUATED_HOUR) / 24);
    }
  }
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length;
  return {
    kind: kind.name,
    seriesWeeks: count * EVALUATED_WEEKS,
    falseAlarms: alarms / (count * EVALUATED_WEEKS),
    spikes: new Map([...spikes].map(([multiple, found]) => [multiple, found / count])),
    drifts: new Map(
      [...drifts].map(([multiple, days]) => [multiple, { found: days.length / count, days: mean(days) }]),
    ),
  };
};

const percent = (share: number | undefined): string => `${Math.round(100 * (share ?? 0))} %`;

/** False alarms, and what is found of planted spikes and drifts, by kind of series. */
export const benchAnomalyQuality = (count: number): Table =>
  table(
    'Anomalies: false alarms and detection on generated series',
    kinds.map((kind, index) => {
      const { seriesWeeks, falseAlarms, spikes, drifts } = qualityOf(kind, count, 1 + index);
      return {
        series: kind.name,
        weeks: seriesWeeks,
        'false alarms/week': falseAlarms,
        ...Object.fromEntries(
          [...spikes].map(([multiple, found]) => [`${multiple}× for 4 h`, percent(found)]),
        ),
        ...Object.fromEntries(
          [...drifts].map(([multiple, { found, days }]) => [
            `drift to ${multiple}×`,
            found === 0 ? '0 %' : `${percent(found)}, day ${Math.round(days)}`,
          ]),
        ),
      };
    }),
    'Twelve weeks each, eight of them history. Seeded: the same figures every time.',
    'A spike begins at a random hour with spend, idle nights and weekends included; a drift grows evenly over three weeks.',
  );
