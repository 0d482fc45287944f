import { DAY_MS } from '../../../../schemas/durations.ts';
import type { Anomaly } from '../../../../schemas/insight/anomalies.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';

const WEEK_MS = 7 * DAY_MS;

/** What the calls of an anomaly have in common. */
export const filterOf = ({
  dimension,
  value,
}: Anomaly): Partial<Record<'owner' | 'service' | 'served_model', string>> =>
  dimension === 'tenant' || value === null ? {} : { [dimension]: value };

/** What the calls are grouped by to say what moved. */
export const moversBy = ({ dimension }: Anomaly): 'owner' | 'service' | 'served_model' =>
  dimension === 'owner' ? 'service' : dimension === 'service' ? 'served_model' : 'owner';

export const intervalOf = ({ period: { from, to } }: Anomaly): Interval => ({
  from: Date.parse(from),
  to: Date.parse(to),
});

/** The same weekdays before, so many weeks that the periods do not overlap. */
export const weeksBefore = ({ from, to }: Interval): Interval => {
  const shift = Math.ceil((to - from) / WEEK_MS) * WEEK_MS;
  return { from: from - shift, to: to - shift };
};
