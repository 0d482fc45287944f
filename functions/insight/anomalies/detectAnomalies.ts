import type { AnomalyDimension, AnomalyGrain, Driver } from '../../../schemas/insight/anomalies.ts';
import type { SpendByState } from '../../../schemas/insight/budgets.ts';
import { type Decimal, decimal, sumOf } from '../../platform/shared/decimal.ts';
import { addToState } from '../budgets/spend/spendByState.ts';
import { baselinePeriods } from './baseline.ts';
import type { CostPeriod } from './costPeriods.ts';
import { type Deviation, detectDeviation } from './deviation.ts';
import { type BaselineComparison, costOf, driversOf, excessIn } from './drivers.ts';
import { belongsTo, type Entity, entitiesOf, entityKey } from './entity.ts';
import { median } from './expectation.ts';
import { seriesTable } from './seriesTable.ts';

/** An entity whose cost in a period was outside the expected range. */
export interface Candidate {
  readonly entity: Entity;
  readonly grain: AnomalyGrain;
  /** Start of the period, epoch milliseconds. */
  readonly start: number;
  readonly deviation: Deviation;
  /** The observed cost in USD. */
  readonly byState: SpendByState;
  readonly drivers: readonly Driver[];
}

/** An excess that was already reported: by a finding of an hour of the day, or of the days before the hour. */
export interface ReportedAnomaly {
  readonly entity: Entity;
  /** The reported excess in USD. Null: the complete excess of the entity in the period. */
  readonly excess: Decimal | null;
}

/** Input of {@link detectAnomalies}. */
export interface DetectionInput {
  /** The hour or day to evaluate. */
  readonly current: CostPeriod;
  /** The days before it and, when it is an hour, its baseline hours. */
  readonly past: readonly CostPeriod[];
  readonly reported: readonly ReportedAnomaly[];
  /** Factor by which an ongoing day finding already puts the entity above its usual level. Undefined without one. */
  readonly scaleOf: (entity: Entity) => Decimal | undefined;
  /** Whether the entity has a finding that the period can extend. */
  readonly isOngoing: (entity: Entity) => boolean;
}

/** The smallest excess that is reported, in USD. */
export const EXCESS_MINIMUM: Readonly<Record<AnomalyGrain, Decimal>> = {
  hour: decimal('1'),
  day: decimal('5'),
};
/** The smallest excess that is reported, as a share of the median daily cost of the lane. */
const EXCESS_SHARE = decimal('0.005');
/** An excess is not reported when at least this share of it was already reported for other entities. */
const REPORTED_SHARE = decimal('0.8');
/** Which dimension reports an excess that shows in several dimensions, first choice first. */
const DIMENSION_PRIORITY: readonly AnomalyDimension[] = ['service', 'owner', 'served_model', 'tenant'];

const minimumOf = (past: readonly CostPeriod[], grain: AnomalyGrain, residency: string | null): Decimal => {
  const lane = belongsTo({ dimension: 'tenant', value: null, residency });
  const days = past.filter((one) => one.grain === 'day');
  const share = median(days.map(({ groups }) => decimal(costOf(groups.filter(lane))))).times(EXCESS_SHARE);
  return share.gt(EXCESS_MINIMUM[grain]) ? share : EXCESS_MINIMUM[grain];
};

interface Suspect extends Candidate {
  readonly comparison: BaselineComparison;
  readonly excess: Decimal;
}

/** Whether most of an excess was already reported. Entities of one dimension do not overlap, so their parts add up. */
const isAlreadyReported = (
  { entity, excess, comparison }: Suspect,
  reported: readonly ReportedAnomaly[],
): boolean => {
  const inLane = reported.filter((one) => one.entity.residency === entity.residency);
  return [...Map.groupBy(inLane, (one) => one.entity.dimension).values()].some((sameDimension) => {
    const parts = sameDimension.map((one) => {
      const part = excessIn(comparison, belongsTo(one.entity));
      return one.excess?.lt(part) ? one.excess : part;
    });
    return sumOf(parts).gte(excess.times(REPORTED_SHARE));
  });
};

/**
 * Returns the entities whose cost in the period was outside the expected range. Each excess is reported for one entity.
 * All amounts are sums of cohorts, so the result tells nothing about one to four persons.
 */
export const detectAnomalies = (input: DetectionInput): Candidate[] => {
  const { current, past, scaleOf, isOngoing } = input;
  const { grain, start, groups } = current;
  const seriesOf = seriesTable([...past, current]);
  const baselineGroups = new Map(
    past.filter((one) => one.grain === grain).map((one) => [one.start, one.groups]),
  );
  const minimums = new Map(
    [...new Set(groups.map(({ dimensions }) => dimensions.residency))].map(
      (lane) => [lane, minimumOf(past, grain, lane)] as const,
    ),
  );

  const suspectOf = (entity: Entity): Suspect[] => {
    const series = seriesOf(entity);
    const minimum = minimums.get(entity.residency) ?? EXCESS_MINIMUM[grain];
    const scale = scaleOf(entity);
    const deviation = detectDeviation(series, grain, start, { minimum, ...(scale && { scale }) });
    if (deviation === null) return [];
    const own = groups.filter(belongsTo(entity));
    const [closest = []] = baselinePeriods(grain, start, series.since);
    const comparison = {
      groups: own,
      baseline: closest.map((baselineStart) =>
        (baselineGroups.get(baselineStart) ?? []).filter(belongsTo(entity)),
      ),
    };
    const excess = deviation.observed.minus(deviation.central);
    const drivers = driversOf(entity, comparison, excess);
    const byState = own.reduce<SpendByState>(
      (sum, { ownerState, figures }) => addToState(sum, ownerState, figures.cost_usd.central),
      {},
    );
    return [{ entity, grain, start, deviation, byState, drivers, comparison, excess }];
  };

  const entities = new Map(
    groups.flatMap(({ dimensions }) =>
      entitiesOf(dimensions).map((entity) => [entityKey(entity), entity] as const),
    ),
  );
  const rank = ({ entity }: Suspect): number =>
    (isOngoing(entity) ? 0 : DIMENSION_PRIORITY.length) + DIMENSION_PRIORITY.indexOf(entity.dimension);
  const suspects = [...entities.values()].flatMap(suspectOf).sort((one, other) => rank(one) - rank(other));
  const unreported: Candidate[] = [];
  for (const suspect of suspects) {
    // The range of the entity itself already allows for its own earlier finding, so that finding explains nothing here.
    const isOwn = ({ entity, excess }: ReportedAnomaly): boolean =>
      excess === null && entityKey(entity) === entityKey(suspect.entity);
    const reported = [
      ...input.reported.filter((one) => !isOwn(one)),
      ...unreported.map(({ entity }) => ({ entity, excess: null })),
    ];
    if (!isAlreadyReported(suspect, reported)) unreported.push(suspect);
  }
  return unreported;
};
