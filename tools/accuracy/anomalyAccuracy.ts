import { growthQuality } from '../../bench/quality/anomalyGrowth.ts';

const SEEDS = [1, 2, 3];
/** Series of each of three growths. */
const SERIES = 8;

const rows = SEEDS.map((seed) => {
  const { precision, recall } = growthQuality(seed, SERIES);
  return `| ${seed} | ${precision.toFixed(2)} | ${(recall.get(2) ?? 0).toFixed(2)} | ${(recall.get(3) ?? 0).toFixed(2)} |`;
});

/** The section about anomalies: precision and recall on growing series. */
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
  ].join('\n');
