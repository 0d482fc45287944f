import { forecastRest } from '../../functions/insight/trends/forecast.ts';
import { medianOf } from '../../functions/insight/trends/median.ts';
import { LENGTH } from '../../functions/ledger/rollups/grain.ts';
import { decimal } from '../../functions/platform/shared/decimal.ts';
import { mulberry32 } from '../../functions/platform/shared/mulberry32.ts';
import { type Table, table } from '../support/table.ts';
import { office, type Random } from './anomalyQuality.ts';

const HISTORY_DAYS = 56;
/** The forecast is made at the beginning of the tenth day of a month of thirty days. */
const ELAPSED_DAYS = 9;
const MONTH_DAYS = 30;
const GROWTHS = [0, 0.03, 0.1, 0.25];

/** The level of a series after so many weeks. */
type Shape = (weeks: number) => number;

const steadily =
  (growth: number): Shape =>
  (weeks) =>
    (1 + growth) ** weeks;

/** Growth that changes. No forecast knows that it will, so these tell how wrong one becomes, and whether its range says so. */
const CHANGING: Readonly<Record<string, Shape>> = {
  'the same amount each week': (weeks) => 1 + 0.15 * weeks,
  'slows down': (weeks) => Math.exp(2 * (1 - Math.exp(-weeks / 6))),
  'speeds up': (weeks) => Math.exp(0.01 * weeks ** 2),
  'a new level in the fifth week': (weeks) => (weeks < 4 ? 1 : 1.6),
  'stops at six times the level': (weeks) => 0.2 + 1 / (1 + Math.exp(0.6 * (6 - weeks))),
};

/** How the level of a series moves, as standard deviations of its logarithm. */
const MOVEMENTS = {
  'independent days': { day: 0.15, wander: 0, week: 0 },
  'agent sessions': { day: 0.35, wander: 0, week: 0 },
  'wandering level': { day: 0.1, wander: 0, week: 0.06 },
  'good and bad weeks': { day: 0.1, wander: 0.1, week: 0 },
};
type Movement = (typeof MOVEMENTS)[keyof typeof MOVEMENTS];

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** The share of a week's cost by weekday, from the hours of an office. */
const WEEKDAYS = Array.from({ length: 7 }, (_, day) =>
  Array.from({ length: 24 }, (_hour, hour) => office(24 * day + hour)).reduce((sum, one) => sum + one, 0),
);

const dailyCosts = (shape: Shape, { day, wander, week }: Movement, random: Random): number[] => {
  let [level, drift] = [0, 0];
  return Array.from({ length: HISTORY_DAYS + MONTH_DAYS }, (_, index) => {
    if (index % 7 === 0) level += week * normal(random);
    drift = 0.8 * drift + 0.6 * wander * normal(random);
    const noise = Math.exp(level + drift + day * normal(random));
    return 10 * (WEEKDAYS[index % 7] ?? 1) * shape(index / 7) * noise;
  });
};

/** Errors of forecasts of a month. */
export interface ForecastQuality {
  /** Median of the distance between forecast and outcome, as a share of the outcome. */
  readonly medianError: number;
  /** Share of the months whose outcome was inside the range. */
  readonly inRange: number;
}

/** Forecasts months from their tenth day, and compares them with what then happens. */
const forecastQuality = (shape: Shape, movement: Movement, count: number, seed: number): ForecastQuality => {
  const random = mulberry32(seed);
  const errors: number[] = [];
  let inside = 0;
  for (let index = 0; index < count; index += 1) {
    const costs = dailyCosts(shape, movement, random);
    const now = HISTORY_DAYS + ELAPSED_DAYS;
    const rest = forecastRest((at) => decimal((costs[at / LENGTH.day] ?? 0).toFixed(6)), 0, {
      from: now * LENGTH.day,
      to: (HISTORY_DAYS + MONTH_DAYS) * LENGTH.day,
    });
    if (rest === null) continue;
    const sum = (from: number, to: number) => costs.slice(from, to).reduce((total, one) => total + one, 0);
    const spent = sum(HISTORY_DAYS, now);
    const [low, central, high] = [rest.low, rest.central, rest.high].map(
      (one) => spent + Number(one.toString()),
    );
    const outcome = sum(HISTORY_DAYS, costs.length);
    errors.push(Math.abs((central ?? 0) / outcome - 1));
    if (outcome >= (low ?? 0) && outcome <= (high ?? 0)) inside += 1;
  }
  return { medianError: medianOf(errors), inRange: inside / count };
};

/** The results for each movement of the level and each growth. */
export const forecastResults = (count: number, seed: number) =>
  Object.entries(MOVEMENTS).flatMap(([name, movement]) =>
    GROWTHS.map((growth) => ({ name, growth, ...forecastQuality(steadily(growth), movement, count, seed) })),
  );

/** The results for each way in which growth can change. */
export const changingResults = (count: number, seed: number) =>
  Object.entries(CHANGING).map(([name, shape]) => ({
    name,
    ...forecastQuality(shape, MOVEMENTS['independent days'], count, seed),
  }));

/** Errors of forecasts by growth and kind of series. */
export const benchForecasts = (count: number): Table =>
  table(
    `Forecasts: ${count} months of each kind, from their tenth day`,
    forecastResults(count, 1).map(({ name, growth, medianError, inRange }) => ({
      series: name,
      'growth/week': `${Math.round(100 * growth)} %`,
      'median error': `${(100 * medianError).toFixed(1)} %`,
      'outcome in range': `${Math.round(100 * inRange)} %`,
    })),
    'Each series has eight weeks of history and an office week. The range is meant to hold nine of ten outcomes.',
  );
