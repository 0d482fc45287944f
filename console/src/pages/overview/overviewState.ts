import { DAY_MS, startOfDay } from '../../format/time.ts';
import { choice, codec } from '../../url/codec.ts';

export const overviewCodec = codec({
  days: choice(['7', '14', '30'], '7'),
  measure: choice(['cost', 'energy', 'carbon'], 'cost'),
});

export type OverviewState = ReturnType<typeof overviewCodec.read>;

/** The last whole days and today. */
export const periodOf = (days: number, now: number): { readonly from: number; readonly to: number } => {
  const to = startOfDay(now) + DAY_MS;
  return { from: to - days * DAY_MS, to };
};
