import type { Anomaly } from '../../../../schemas/insight/anomalies.ts';
import type { ChangesQuery } from '../../../../schemas/routes/insight/changes.ts';
import { filterOf, moversBy } from './anomalyScope.ts';

/** Where the API has the causes, the hours and the calls of an anomaly. */
export const anomalyLinks = (anomaly: Anomaly, query: ChangesQuery) => {
  const { from = '', to = '' } = query;
  const address = (path: string, parameters: object): string =>
    `${path}?${new URLSearchParams({ ...parameters, ...filterOf(anomaly) })}`;
  return {
    changes: address('/v1/reports/changes', {
      from,
      to,
      previous_from: query.previous_from ?? '',
      previous_to: query.previous_to ?? '',
      group_by: moversBy(anomaly),
    }),
    hours: address('/v1/reports/usage', { from, to, interval: 'hour' }),
    calls: address('/v1/attribution', {
      'occurred_at[gte]': from,
      'occurred_at[lt]': to,
      sort: '-cost_usd',
    }),
  };
};
