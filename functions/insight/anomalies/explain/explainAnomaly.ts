import { ANOMALY_MOVERS_MAXIMUM, type Anomaly } from '../../../../schemas/insight/anomalies.ts';
import type { ChangesQuery } from '../../../../schemas/routes/insight/changes.ts';
import type { Cohort } from '../../../ledger/cohorts/cohorts.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';
import { readChanges } from '../../reports/changes/readChanges.ts';
import type { ReportStores } from '../../reports/readPeriods.ts';
import type { PriceStores } from '../../reports/tokenPrices.ts';
import { anomalyLinks } from './anomalyLinks.ts';
import { filterOf, intervalOf, moversBy, weeksBefore } from './anomalyScope.ts';
import { readFirstHour } from './firstHour.ts';

/** What led to an anomaly since the same weekdays before, from calls of its lane, as of `asOf` (epoch milliseconds). */
export const explainAnomaly = async (
  stores: ReportStores & PriceStores,
  { tenant, scopes }: Pick<Caller, 'tenant' | 'scopes'>,
  anomaly: Anomaly,
  asOf: number,
) => {
  const previous = weeksBefore(intervalOf(anomaly));
  const query: ChangesQuery = {
    ...anomaly.period,
    previous_from: toIso(previous.from),
    previous_to: toIso(previous.to),
    ...filterOf(anomaly),
    group_by: [moversBy(anomaly)],
  };
  // The lane null holds all calls for a reader. An anomaly is of those without a lane.
  const isCounted = ({ lane }: Cohort): boolean => (lane ?? null) === anomaly.residency;
  const [hour, { rows, envelope }] = await Promise.all([
    readFirstHour(stores, tenant, anomaly, isCounted),
    readChanges(stores, { tenant, scopes, residency: anomaly.residency }, query, asOf, isCounted),
  ]);
  return {
    first_hour: hour === null ? null : toIso(hour),
    change: envelope.totals,
    previous: envelope.previous,
    movers: rows.slice(0, ANOMALY_MOVERS_MAXIMUM),
    links: anomalyLinks(anomaly, query),
    as_of: envelope.as_of,
    stale: envelope.stale,
  };
};
