import { growthQuality } from '../../bench/quality/anomalyGrowth.ts';
import { changingResults, forecastResults } from '../../bench/quality/forecastQuality.ts';
import { sessionResults } from '../../bench/quality/sessionTraffic.ts';

const SEEDS = [1, 2, 3];
/** Series of each of three growths. */
const SERIES = 8;

const SESSION_SERIES = 24;
const MONTHS = 400;

const sessionRows = sessionResults(SESSION_SERIES, 1).map(
  ({ sessions, factor, falseAlarms, recall }) =>
    `| ${sessions} | ${falseAlarms.toFixed(2)} | ${recall.toFixed(2)} at ${factor}× |`,
);

const forecastRows = forecastResults(MONTHS, 1).map(
  ({ name, growth, medianError, inRange }) =>
    `| ${name} | ${Math.round(100 * growth)} % | ${(100 * medianError).toFixed(1)} % | ${Math.round(100 * inRange)} % |`,
);

const changingRows = changingResults(MONTHS, 1).map(
  ({ name, medianError, inRange }) =>
    `| ${name} | ${(100 * medianError).toFixed(1)} % | ${Math.round(100 * inRange)} % |`,
);

const rows = SEEDS.map((seed) => {
  const { precision, recall } = growthQuality(seed, SERIES);
  return `| ${seed} | ${precision.toFixed(2)} | ${(recall.get(2) ?? 0).toFixed(2)} | ${(recall.get(3) ?? 0).toFixed(2)} |`;
});

/** The sections about anomalies, on growing series and agent sessions, and about forecasts. */
export const anomalyAccuracy = async (): Promise<string> =>
  [
    '## Anomalies',
    '',
    '24 synthetic series grow by 0, 3 or 10 % a week. Each has eight weeks of history and four evaluated weeks, with two raised days.',
    '',
    '| seed | precision | recall at 2× | recall at 3× |',
    '|---|---|---|---|',
    ...rows,
    '',
    'Shorter spikes are harder: `npm run bench -- anomaly-detection` prints the figures by hour.',
    '',
    'Calls of coding agents come in sessions. 24 synthetic series have sessions of about 40 calls in office hours, and six raised hours on one day each.',
    '',
    '| sessions an hour | false alarms a week | recall of six hours |',
    '|---|---|---|',
    ...sessionRows,
    '',
    '## Forecasts',
    '',
    'A month is forecast from its tenth day, after eight weeks of history. The range is meant to hold nine of ten outcomes.',
    '',
    '| series | growth a week | median error | outcome in range |',
    '|---|---|---|---|',
    ...forecastRows,
    '',
    'Nothing foretells that growth will change. The same months with independent days, where it does:',
    '',
    '| growth | median error | outcome in range |',
    '|---|---|---|',
    ...changingRows,
    '',
  ].join('\n');
