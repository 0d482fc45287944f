import { mulberry32 } from '../../functions/platform/shared/mulberry32.ts';
import { type Table, table } from '../support/table.ts';
import {
  detectBetween,
  FIRST_EVALUATED_HOUR,
  generate,
  HOURS,
  office,
  type SeriesKind,
  seriesOf,
} from './anomalyQuality.ts';

const GROWTHS = [0, 0.03, 0.1];
const MULTIPLES = [2, 3];
/** Whole days are raised, one a week and series, because a report a day is what an operator reads. */
const SPIKE_HOURS = 24;
const WEEK_HOURS = 168;

/** Detection of planted days in growing series. */
export interface GrowthQuality {
  readonly precision: number;
  /** Share of the planted days that were found, by multiple. */
  readonly recall: ReadonlyMap<number, number>;
}

const kindOf = (growth: number, index: number): SeriesKind => ({
  name: `growth ${growth}`,
  calls: index % 2 === 0 ? () => 300 : (hour) => 600 * office(hour),
  usdPerCall: 0.02,
  noise: 0.2,
  growth,
});

/** Plants a raised day in every second evaluated week of series that grow by 0, 3 and 10 % a week. */
export const growthQuality = (seed: number, seriesOfGrowth: number): GrowthQuality => {
  const random = mulberry32(seed);
  const planted = new Map(MULTIPLES.map((multiple) => [multiple, 0]));
  const found = new Map(MULTIPLES.map((multiple) => [multiple, 0]));
  let [reported, correct] = [0, 0];
  for (const growth of GROWTHS) {
    for (let index = 0; index < seriesOfGrowth; index += 1) {
      const hours = generate(kindOf(growth, index), random);
      const spikes = MULTIPLES.map((multiple, week) => {
        const day = Math.floor(random() * 5);
        return { multiple, from: FIRST_EVALUATED_HOUR + 2 * week * WEEK_HOURS + 24 * day };
      });
      const series = seriesOf(
        hours.map(({ usd, calls }, hour) => {
          const spike = spikes.find(({ from }) => hour >= from && hour < from + SPIKE_HOURS);
          return { usd: usd * (spike?.multiple ?? 1), calls };
        }),
      );
      const findings = detectBetween(series, FIRST_EVALUATED_HOUR, HOURS);
      const isIn = (hour: number, from: number) => hour >= from && hour < from + SPIKE_HOURS;
      reported += findings.length;
      correct += findings.filter((hour) => spikes.some(({ from }) => isIn(hour, from))).length;
      for (const { multiple, from } of spikes) {
        planted.set(multiple, (planted.get(multiple) ?? 0) + 1);
        if (findings.some((hour) => isIn(hour, from))) found.set(multiple, (found.get(multiple) ?? 0) + 1);
      }
    }
  }
  return {
    precision: reported === 0 ? 1 : correct / reported,
    recall: new Map(MULTIPLES.map((one) => [one, (found.get(one) ?? 0) / (planted.get(one) ?? 1)])),
  };
};

/** Precision and recall on growing series, for some seeds. */
export const benchAnomalyGrowth = (seeds: readonly number[]): Table =>
  table(
    'Anomalies: raised days in 24 series that grow by 0, 3 and 10 % a week',
    seeds.map((seed) => {
      const { precision, recall } = growthQuality(seed, 8);
      return {
        seed,
        precision: precision.toFixed(2),
        ...Object.fromEntries(
          [...recall].map(([multiple, share]) => [`recall at ${multiple}×`, share.toFixed(2)]),
        ),
      };
    }),
    'Each series has twelve weeks, eight of them history, with two raised days in the last four.',
  );
