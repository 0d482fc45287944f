import type { AnomalyGrain } from '../../../schemas/insight/anomalies.ts';
import { addDecimals, type Decimal, decimal, wholeNumber, ZERO } from '../../platform/shared/decimal.ts';
import type { CostPeriod } from './costPeriods.ts';
import { type Entity, entitiesOf, entityKey } from './entity.ts';
import type { Series } from './series.ts';

interface SeriesTotals {
  readonly costs: Map<string, string>;
  since: number;
  cost: string;
  priced: number;
}

const periodKey = (grain: AnomalyGrain, start: number): string => `${grain} ${start}`;

/** Indexes the series of every entity in these hours and days. The cost per call is computed from the days. */
export const seriesTable = (periods: readonly CostPeriod[]) => {
  const known = new Map<string, SeriesTotals>();
  for (const { grain, start, groups } of periods) {
    const period = periodKey(grain, start);
    for (const { dimensions, figures } of groups) {
      for (const entity of entitiesOf(dimensions)) {
        const key = entityKey(entity);
        const series = known.get(key) ?? {
          costs: new Map<string, string>(),
          since: Number.POSITIVE_INFINITY,
          cost: '0',
          priced: 0,
        };
        known.set(key, series);
        const { central, unknown } = figures.cost_usd;
        series.costs.set(period, addDecimals(series.costs.get(period) ?? '0', central));
        if (grain !== 'day') continue;
        series.since = Math.min(series.since, start);
        series.cost = addDecimals(series.cost, central);
        series.priced += figures.invocations - unknown;
      }
    }
  }

  return (entity: Entity): Series => {
    const series = known.get(entityKey(entity));
    return {
      cost: (grain: AnomalyGrain, start: number): Decimal =>
        decimal(series?.costs.get(periodKey(grain, start)) ?? '0'),
      since: series?.since ?? Number.POSITIVE_INFINITY,
      perCall:
        series === undefined || series.priced === 0
          ? ZERO
          : decimal(series.cost).div(wholeNumber(series.priced)),
    };
  };
};
