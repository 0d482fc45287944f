import { mulberry32 } from '../../functions/platform/shared/mulberry32.ts';
import { type Table, table } from '../support/table.ts';
import {
  detectBetween,
  FIRST_EVALUATED_HOUR,
  HOURS,
  office,
  type Random,
  seriesOf,
} from './anomalyQuality.ts';

/** Calls of a coding agent come in sessions, so hours vary far more than with calls that come one by one. */
const CALLS_PER_SESSION = 40;
const CALLS_PER_HOUR_IN_SESSION = 60;
const USD_PER_CALL = 0.1;
const EVALUATED_WEEKS = (HOURS - FIRST_EVALUATED_HOUR) / 168;
/** A raised window of six working hours, from 10:00. */
const WINDOW = { from: 10, hours: 6 };

/** Sessions an hour in working hours, and the factor of the raised window. */
const TRAFFIC = [
  { sessions: 3, factor: 4 },
  { sessions: 20, factor: 3 },
];

const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random());

/** Cost and calls for each hour: sessions of exponential length that start at random instants. */
const sessionHours = (sessions: number, random: Random): { usd: number; calls: number }[] => {
  const hours = Array.from({ length: HOURS }, () => ({ usd: 0, calls: 0 }));
  // Thinning: candidates come at the highest rate, and a share of them by the hour of the week is kept.
  for (let at = 0; at < HOURS; at += exponential(random, 1 / sessions)) {
    if (random() > office(Math.floor(at) % 168)) continue;
    const calls = Math.ceil(exponential(random, CALLS_PER_SESSION));
    let time = at;
    for (let call = 0; call < calls; call += 1) {
      const hour = hours[Math.floor(time)];
      if (hour !== undefined) {
        hour.calls += 1;
        hour.usd += exponential(random, USD_PER_CALL);
      }
      time += exponential(random, 1 / CALLS_PER_HOUR_IN_SESSION);
    }
  }
  return hours;
};

/** Detection on traffic that comes in sessions. */
export interface SessionQuality {
  /** False alarms per series and week. */
  readonly falseAlarms: number;
  /** Share of the raised windows that were found on their day. */
  readonly recall: number;
}

/** Generates clean series of sessions, and raises six hours of one working day in each. */
export const sessionQuality = (
  { sessions, factor }: (typeof TRAFFIC)[number],
  count: number,
  seed: number,
): SessionQuality => {
  const random = mulberry32(seed);
  let [alarms, found] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    const hours = sessionHours(sessions, random);
    alarms += detectBetween(seriesOf(hours), FIRST_EVALUATED_HOUR, HOURS).length;
    const week = Math.floor(random() * EVALUATED_WEEKS);
    const day = FIRST_EVALUATED_HOUR + 168 * week + 24 * Math.floor(random() * 5);
    const [from, to] = [day + WINDOW.from, day + WINDOW.from + WINDOW.hours];
    const raised = seriesOf(
      hours.map(({ usd, calls }, hour) => ({ usd: usd * (hour >= from && hour < to ? factor : 1), calls })),
    );
    if (detectBetween(raised, day, day + 24).length > 0) found += 1;
  }
  return { falseAlarms: alarms / (count * EVALUATED_WEEKS), recall: found / count };
};

/** Detection in series of agent sessions, by sessions an hour. */
export const sessionResults = (count: number, seed: number) =>
  TRAFFIC.map((traffic) => ({ ...traffic, ...sessionQuality(traffic, count, seed) }));

/** False alarms and recall on agent sessions. */
export const benchSessionTraffic = (count: number): Table =>
  table(
    `Anomalies: ${count} series of agent sessions of about ${CALLS_PER_SESSION} calls`,
    sessionResults(count, 1).map(({ sessions, factor, falseAlarms, recall }) => ({
      'sessions/h': sessions,
      'false alarms/week': falseAlarms.toFixed(2),
      [`recall of 6 h`]: `${recall.toFixed(2)} at ${factor}×`,
    })),
    'Each series has twelve weeks, eight of them history, with office hours. The generator is seeded.',
  );
