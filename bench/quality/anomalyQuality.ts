import { detectDeviation } from '../../functions/insight/anomalies/deviation.ts';
import type { Series } from '../../functions/insight/anomalies/series.ts';
import { LENGTH } from '../../functions/ledger/rollups/grain.ts';
import { type Decimal, decimal } from '../../functions/platform/shared/decimal.ts';
import { mulberry32 } from '../../functions/platform/shared/mulberry32.ts';
import type { AnomalyGrain } from '../../schemas/insight/anomalies.ts';
import { type Table, table } from '../support/table.ts';

const WEEK = 7 * LENGTH.day;
/** A Monday. */
const SERIES_START = Date.UTC(2026, 0, 5);
const HISTORY_WEEKS = 8;
const EVALUATED_WEEKS = 4;
export const HOURS = ((HISTORY_WEEKS + EVALUATED_WEEKS) * WEEK) / LENGTH.hour;
export const FIRST_EVALUATED_HOUR = (HISTORY_WEEKS * WEEK) / LENGTH.hour;
const MINIMUM: Readonly<Record<AnomalyGrain, Decimal>> = { hour: decimal('1'), day: decimal('5') };
/** Findings of one series at most this far apart count as one anomaly, as in the service. */
const MERGE_GAP_HOURS = 3;
const SPIKE_HOURS = 4;
/** A drift grows linearly to its multiple over this many hours, then stays at that level. */
const DRIFT_HOURS = (3 * WEEK) / LENGTH.hour;

export type Random = ReturnType<typeof mulberry32>;

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Poisson sample: sums exponential gaps. Above a mean of 200 it uses the normal approximation. */
export const poisson = (random: Random, mean: number): number => {
  if (mean > 200) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  let count = -1;
  for (let sum = 0; sum <= mean; count += 1) sum -= Math.log(1 - random());
  return Math.max(0, count);
};

/** Parameters of one kind of generated series. */
export interface SeriesKind {
  readonly name: string;
  /** Mean calls per hour, by hour of the week (0 is Monday 00:00), before noise. */
  readonly calls: (hourOfWeek: number) => number;
  readonly usdPerCall: number;
  /** Standard deviation of the log level per hour, in addition to the Poisson noise of the calls. */
  readonly noise: number;
  /** Relative growth of the level per week. */
  readonly growth: number;
}

const isWeekend = (hour: number): boolean => hour >= 120;
export const office = (hour: number): number => {
  const time = hour % 24;
  const day = time >= 8 && time < 19 ? 1 : time >= 6 && time < 22 ? 0.35 : 0.08;
  return isWeekend(hour) ? day * 0.15 : day;
};

export const kinds: readonly SeriesKind[] = [
  { name: 'round the clock', calls: () => 400, usdPerCall: 0.02, noise: 0.15, growth: 0 },
  { name: 'office hours', calls: (hour) => 900 * office(hour), usdPerCall: 0.02, noise: 0.2, growth: 0.01 },
  {
    name: 'volatile',
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
  { name: 'few expensive calls', calls: (hour) => 3 * office(hour), usdPerCall: 2, noise: 0.3, growth: 0 },
  { name: 'sporadic', calls: () => 0.08, usdPerCall: 5, noise: 0.3, growth: 0 },
];

/** Cost in USD and calls, for each hour. */
export const generate = (
  { calls, usdPerCall, noise, growth }: SeriesKind,
  random: Random,
): { usd: number; calls: number }[] => {
  let drift = 0;
  return Array.from({ length: HOURS }, (_, hour) => {
    // Adjacent hours are correlated (AR(1), 0.7), as in real traffic.
    drift = 0.7 * drift + Math.sqrt(1 - 0.49) * noise * normal(random);
    const level = (1 + growth) ** (hour / 168) * Math.exp(drift - noise ** 2 / 2);
    const count = poisson(random, calls(hour % 168) * level);
    // Sum of lognormal call costs (σ = 1). Above 50 calls it uses the normal approximation.
    let usd = 0;
    if (count > 50) usd = count + Math.sqrt(count * (Math.E - 1)) * normal(random);
    else for (let call = 0; call < count; call += 1) usd += Math.exp(normal(random) - 0.5);
    return { usd: Math.max(0, usd) * usdPerCall, calls: count };
  });
};

export const seriesOf = (hours: readonly { usd: number; calls: number }[]): Series => {
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
      (grain === 'hour'
        ? cost[(start - SERIES_START) / LENGTH.hour]
        : days[(start - SERIES_START) / LENGTH.day]) ?? zero,
    since: SERIES_START + Math.max(0, first) * LENGTH.day,
    perCall: decimal((usd / Math.max(1, calls)).toFixed(6)),
  };
};

/** Start hours (since the series start) of the anomalies detected between two hours. Whoever needs the first one stops there. */
function* detections(series: Series, from: number, to: number): Generator<number> {
  let last = Number.NEGATIVE_INFINITY;
  for (let hour = from; hour < to; hour += 1) {
    const start = SERIES_START + hour * LENGTH.hour;
    const found: [start: number, end: number][] = [];
    if (detectDeviation(series, 'hour', start, { minimum: MINIMUM.hour }) !== null)
      found.push([hour, hour + 1]);
    const day = start - 23 * LENGTH.hour;
    if (hour % 24 === 23 && detectDeviation(series, 'day', day, { minimum: MINIMUM.day }) !== null)
      found.push([hour - 23, hour + 24]);
    for (const [first, end] of found) {
      if (first > last + MERGE_GAP_HOURS) yield first;
      last = Math.max(last, end);
    }
  }
}
export const detectBetween = (series: Series, from: number, to: number): number[] => [
  ...detections(series, from, to),
];

const firstOutside = (known: readonly number[], hours: Iterable<number>): number | undefined => {
  for (const hour of hours) if (!known.includes(hour)) return hour;
  return undefined;
};

export interface Quality {
  readonly kind: string;
  readonly seriesWeeks: number;
  /** False alarms per series and week, on series without injected anomalies. */
  readonly falseAlarms: number;
  /** Share of injected spikes that were detected, by multiple. A spike lasts four hours. */
  readonly spikes: ReadonlyMap<number, number>;
  /** Injected drifts, by multiple: the share that was detected, and the mean days until detection. */
  readonly drifts: ReadonlyMap<number, { readonly detected: number; readonly days: number }>;
}

const SPIKES = [2, 3, 5];
const DRIFTS = [1.5, 2, 3];

/** Injects anomalies into generated series and counts false alarms and detections. */
export const qualityOf = (kind: SeriesKind, count: number, seed: number): Quality => {
  const random = mulberry32(seed);
  let alarms = 0;
  const spikes = new Map(SPIKES.map((multiple) => [multiple, 0]));
  const drifts = new Map(DRIFTS.map((multiple) => [multiple, [] as number[]]));
  for (let index = 0; index < count; index += 1) {
    const hours = generate(kind, random);
    const clean = detectBetween(seriesOf(hours), FIRST_EVALUATED_HOUR, HOURS);
    alarms += clean.length;
    // A spike needs spend to multiply, so skip windows without cost.
    let from = 0;
    do from = FIRST_EVALUATED_HOUR + Math.floor(random() * (HOURS - FIRST_EVALUATED_HOUR - 48));
    while (hours.slice(from, from + SPIKE_HOURS).every(({ usd }) => usd === 0));
    const inject = (multiple: (hour: number) => number): Series =>
      seriesOf(hours.map(({ usd, calls }, hour) => ({ usd: usd * multiple(hour), calls })));
    const day = Math.floor(from / 24) * 24;
    const withoutSpike = detectBetween(seriesOf(hours), day, day + 48).length;
    for (const multiple of SPIKES) {
      const series = inject((hour) => (hour >= from && hour < from + SPIKE_HOURS ? multiple : 1));
      const isDetected = detectBetween(series, day, day + 48).length > withoutSpike;
      spikes.set(multiple, (spikes.get(multiple) ?? 0) + (isDetected ? 1 : 0));
    }
    for (const multiple of DRIFTS) {
      const progress = (hour: number): number =>
        Math.min(1, Math.max(0, (hour - FIRST_EVALUATED_HOUR) / DRIFT_HOURS));
      const series = inject((hour) => 1 + (multiple - 1) * progress(hour));
      const first = firstOutside(clean, detections(series, FIRST_EVALUATED_HOUR, HOURS));
      if (first !== undefined) drifts.get(multiple)?.push((first - FIRST_EVALUATED_HOUR) / 24);
    }
  }
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length;
  return {
    kind: kind.name,
    seriesWeeks: count * EVALUATED_WEEKS,
    falseAlarms: alarms / (count * EVALUATED_WEEKS),
    spikes: new Map([...spikes].map(([multiple, detected]) => [multiple, detected / count])),
    drifts: new Map(
      [...drifts].map(([multiple, days]) => [multiple, { detected: days.length / count, days: mean(days) }]),
    ),
  };
};

const percent = (share: number | undefined): string => `${Math.round(100 * (share ?? 0))} %`;

/** False alarm rate and detection rate of injected spikes and drifts, by kind of series. */
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
          [...spikes].map(([multiple, detected]) => [`${multiple}× for 4 h`, percent(detected)]),
        ),
        ...Object.fromEntries(
          [...drifts].map(([multiple, { detected, days }]) => [
            `drift to ${multiple}×`,
            detected === 0 ? '0 %' : `${percent(detected)}, day ${Math.round(days)}`,
          ]),
        ),
      };
    }),
    'Each series has twelve weeks, eight of them history. The generator is seeded, so results are reproducible.',
    'A spike starts at a random hour with spend, including nights and weekends. A drift grows linearly over three weeks.',
  );
