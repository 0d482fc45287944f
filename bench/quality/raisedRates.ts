import { mulberry32 } from '../../functions/platform/shared/mulberry32.ts';
import { type Table, table } from '../support/table.ts';
import {
  detectBetween,
  FIRST_EVALUATED_HOUR,
  HOURS,
  poisson,
  type Random,
  seriesOf,
} from './anomalyQuality.ts';

/** Traffic that differs from that of the other generators: costs of calls with a heavy tail, and levels that change at once. */
interface Traffic {
  readonly name: string;
  /** Calls in a busy hour. */
  readonly rate: number;
  readonly usdPerCall: number;
  /** Exponent of the Pareto distribution of the cost of a call. A lower one has a heavier tail. */
  readonly tail: number;
  /** How far a level can be from the mean, as a logarithm. It lasts one to five weeks. */
  readonly levels: number;
  /** Spread of the level from hour to hour, as a logarithm. Adjacent hours are correlated. */
  readonly noise: number;
  /** Calls of a job at 02:00. */
  readonly batch: number;
}
const TRAFFIC: readonly Traffic[] = [
  { name: 'few calls', rate: 3, usdPerCall: 2, tail: 2.5, levels: 0, noise: 0, batch: 0 },
  { name: 'few calls, new levels', rate: 3, usdPerCall: 2, tail: 2.2, levels: 0.35, noise: 0.2, batch: 0 },
  { name: 'more calls', rate: 10, usdPerCall: 0.8, tail: 2.2, levels: 0.2, noise: 0.2, batch: 0 },
  { name: 'many calls', rate: 60, usdPerCall: 0.2, tail: 2, levels: 0.2, noise: 0.3, batch: 0 },
  {
    name: 'many calls, nightly job',
    rate: 60,
    usdPerCall: 0.2,
    tail: 2,
    levels: 0.2,
    noise: 0.3,
    batch: 600,
  },
  { name: 'noisy', rate: 400, usdPerCall: 0.05, tail: 1.8, levels: 0.3, noise: 0.5, batch: 0 },
];

const EVALUATED_WEEKS = (HOURS - FIRST_EVALUATED_HOUR) / 168;
const WEEKDAYS = [1.1, 1.2, 1.15, 1, 0.8, 0.15, 0.1];
/** The rate is raised three times for six hours. The calls are more, and not dearer. */
const RAISED = { from: 9, starts: 3, hours: 6, factor: 3 };
const CORRELATION = 0.85;
/** A request has a limit, so no call costs more than this many mean ones. */
const CALL_MAXIMUM = 200;

const shareOfHour = (time: number): number => {
  if (time >= 9 && time < 18) return time >= 12 && time < 14 ? 0.7 : 1;
  return time >= 7 && time < 21 ? 0.3 : 0.05;
};
const isBetween = (hour: number, [from, to]: readonly [number, number]): boolean => hour >= from && hour < to;

const costOfCall = (random: Random, tail: number): number =>
  Math.min(CALL_MAXIMUM, ((tail - 1) / tail) * (1 - random()) ** (-1 / tail));

/** About normal, with mean 0 and variance 1: the sum of twelve values. */
const nearlyNormal = (random: Random): number =>
  Array.from({ length: 12 }, random).reduce((a, b) => a + b, -6);

/** Cost and calls for each hour. */
const trafficHours = (traffic: Traffic, random: Random, raised: readonly [number, number] = [0, 0]) => {
  let [level, changesAt, drift] = [1, 0, 0];
  return Array.from({ length: HOURS }, (_, hour) => {
    if (hour >= changesAt) {
      level = Math.exp(traffic.levels * (2 * random() - 1));
      changesAt = hour + 168 * (1 + 4 * random());
    }
    drift = CORRELATION * drift + Math.sqrt(1 - CORRELATION ** 2) * traffic.noise * nearlyNormal(random);
    const busy = shareOfHour(hour % 24) * (WEEKDAYS[Math.floor(hour / 24) % 7] ?? 1);
    const factor = isBetween(hour, raised) ? RAISED.factor : 1;
    const job = hour % 24 === 2 ? traffic.batch * (0.8 + 0.4 * random()) : 0;
    const mean = traffic.rate * busy * level * Math.exp(drift - traffic.noise ** 2 / 2) * factor + job;
    const calls = poisson(random, mean);
    const costs = Array.from({ length: calls }, () => costOfCall(random, traffic.tail));
    return { usd: traffic.usdPerCall * costs.reduce((sum, cost) => sum + cost, 0), calls };
  });
};

/** Detection of raised rates. */
interface RateQuality {
  readonly traffic: string;
  /** False alarms per series and week. */
  readonly falseAlarms: number;
  /** Share of the raised windows that were found on their day. */
  readonly recall: number;
}

/** Generates clean series, and each of them again with a raised rate on one working day. */
const rateQuality = (traffic: Traffic, count: number, seed: number): RateQuality => {
  const random = mulberry32(seed);
  let [alarms, found] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    const own = Math.floor(random() * 2 ** 31);
    alarms += detectBetween(
      seriesOf(trafficHours(traffic, mulberry32(own))),
      FIRST_EVALUATED_HOUR,
      HOURS,
    ).length;
    const days = 7 * Math.floor(random() * EVALUATED_WEEKS) + Math.floor(random() * 5);
    const day = FIRST_EVALUATED_HOUR + 24 * days;
    const from = day + RAISED.from + Math.floor(random() * RAISED.starts);
    const raised = trafficHours(traffic, mulberry32(own), [from, from + RAISED.hours]);
    if (detectBetween(seriesOf(raised), day, day + 24).length > 0) found += 1;
  }
  return { traffic: traffic.name, falseAlarms: alarms / (count * EVALUATED_WEEKS), recall: found / count };
};

/** False alarms and recall where more calls come than usual. */
export const benchRaisedRates = (count: number): Table =>
  table(
    `Anomalies: ${count} series of calls whose costs have a heavy tail`,
    TRAFFIC.map((traffic, index) => {
      const { falseAlarms, recall } = rateQuality(traffic, count, 1 + index);
      return {
        ...{ traffic: traffic.name, 'calls/h': traffic.rate },
        'false alarms/week': falseAlarms.toFixed(3),
        [`recall of ${RAISED.hours} h at ${RAISED.factor}×`]: recall.toFixed(2),
      };
    }),
    'Each series has twelve weeks, eight of them history, with a day and a week. The generator is seeded.',
  );
