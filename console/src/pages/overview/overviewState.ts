import { DAY_MS, startOfDay } from '../../format/time.ts';
import { choice, codec } from '../../url/codec.ts';

export const overviewCodec = codec({
  days: choice(['7', '14', '30'], '7'),
  measure: choice(['cost', 'energy', 'carbon'], 'cost'),
});

interface Period {
  readonly from: number;
  readonly to: number;
}

/** The last whole days and today, and as many days before them. */
export const periodsOf = (days: number, now: number): { readonly shown: Period; readonly before: Period } => {
  const to = startOfDay(now) + DAY_MS;
  const from = to - days * DAY_MS;
  return { shown: { from, to }, before: { from: from - days * DAY_MS, to: from } };
};
