import type { AnomalyDimension, AnomalyGrain, Driver } from '../../schemas/anomalies.ts';
import type { Rollup } from '../../schemas/rollup.ts';
import { type Decimal, decimal } from '../shared/decimal.ts';
import { baselinePeriods } from './baseline.ts';
import { type Deviation, detectDeviation } from './deviation.ts';
import { isDisclosable, personLabelMatcher } from './disclosure.ts';
import { type BaselineComparison, costOf, driversOf, excessIn } from './drivers.ts';
import { belongsTo, type Entity, entitiesOf, entityKey } from './entity.ts';
import { median } from './expectation.ts';
import { seriesTable } from './seriesTable.ts';

/** An entity whose period was out of its range. */
export interface Candidate {
  readonly entity: Entity;
  readonly grain: AnomalyGrain;
  /** Beginning of the period, epoch milliseconds. */
  readonly start: number;
  readonly deviation: Deviation;
  readonly drivers: readonly Driver[];
}

/** An excess that somebody was told of before: an hour's in its day, or that of the days before in an hour. */
export interface ReportedAnomaly {
  readonly entity: Entity;
  /** How much of it, in USD; null: whatever it is. */
  readonly excess: Decimal | null;
}

/** What a judgement rests on. */
export interface DetectionInput {
  readonly tenantId: string;
  /** The hour or day that is judged. */
  readonly current: Rollup;
  /** The days before it, and the hours like it where it is one. */
  readonly past: readonly Rollup[];
  readonly reported: readonly ReportedAnomaly[];
  /** How many times its usual level an entity is known to be at already; undefined: nothing is known. */
  readonly scaleOf: (entity: Entity) => Decimal | undefined;
  /** Whether a finding of the entity goes on. */
  readonly isOngoing: (entity: Entity) => boolean;
}

/** The least excess that is worth a word, in USD, and as a share of what the lane costs on a day in the middle. */
const EXCESS_MINIMUM: Readonly<Record<AnomalyGrain, Decimal>> = { hour: decimal('1'), day: decimal('5') };
const EXCESS_SHARE = decimal('0.005');
/** An excess of which so much was told under other names is no news. */
const REPORTED_SHARE = decimal('0.8');
/** Under which of several names an excess is told. */
const DIMENSION_PRIORITY: readonly AnomalyDimension[] = ['service', 'owner', 'served_model', 'tenant'];

const ZERO = decimal('0');

const minimumOf = (past: readonly Rollup[], grain: AnomalyGrain, residency: string | null): Decimal => {
  const lane = belongsTo({ dimension: 'tenant', value: null, residency });
  const days = past.filter((rollup) => rollup.grain === 'day');
  const share = median(days.map(({ groups }) => decimal(costOf(groups.filter(lane))))).times(EXCESS_SHARE);
  return share.gt(EXCESS_MINIMUM[grain]) ? share : EXCESS_MINIMUM[grain];
};

interface Suspect extends Candidate {
  readonly comparison: BaselineComparison;
  readonly excess: Decimal;
}

/** Whether most of an excess was told of already, by other names that do not overlap: those of one dimension. */
const isAlreadyReported = (
  { entity, excess, comparison }: Suspect,
  reported: readonly ReportedAnomaly[],
): boolean => {
  const inLane = reported.filter((one) => one.entity.residency === entity.residency);
  return [...Map.groupBy(inLane, (one) => one.entity.dimension).values()].some((names) => {
    const parts = names.map((name) => {
      const part = excessIn(comparison, belongsTo(name.entity));
      return name.excess?.lt(part) ? name.excess : part;
    });
    return parts.reduce((sum, part) => sum.plus(part), ZERO).gte(excess.times(REPORTED_SHARE));
  });
};

/** The entities whose period was out of its range, each excess under one name, and none of one to four persons. */
export const detectAnomalies = (evidence: DetectionInput): Candidate[] => {
  const { tenantId, current, past, scaleOf, isOngoing } = evidence;
  const { grain, start, groups } = current;
  if (grain === 'minute') return [];
  const seriesOf = seriesTable([...past, current]);
  const isPerson = personLabelMatcher(tenantId, [...past, current]);
  const before = new Map(past.filter((one) => one.grain === grain).map((one) => [one.start, one.groups]));
  const minimums = new Map(
    [...new Set(groups.map(({ dimensions }) => dimensions.residency))].map(
      (lane) => [lane, minimumOf(past, grain, lane)] as const,
    ),
  );

  const suspectOf = (entity: Entity): Suspect[] => {
    const series = seriesOf(entity);
    const minimum = minimums.get(entity.residency) ?? EXCESS_MINIMUM[grain];
    const scale = scaleOf(entity);
    const verdict = detectDeviation(series, grain, start, { minimum, ...(scale && { scale }) });
    if (verdict === null) return [];
    const own = groups.filter(belongsTo(entity));
    const rest = groups.filter(
      (group) => group.dimensions.residency === entity.residency && !own.includes(group),
    );
    if (entity.value !== null && (isPerson(entity.value) || !isDisclosable(own, rest))) return [];
    const [most = []] = baselinePeriods(grain, start, series.since);
    const scene = {
      groups: own,
      baseline: most.map((like) => (before.get(like) ?? []).filter(belongsTo(entity))),
    };
    const excess = verdict.observed.minus(verdict.central);
    const drivers = driversOf(entity, scene, excess, isPerson);
    return [{ entity, grain, start, deviation: verdict, drivers, comparison: scene, excess }];
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
    // What is out of a range that allows for what was told before is news, whoever told it.
    const isOwn = ({ entity, excess }: ReportedAnomaly): boolean =>
      excess === null && entityKey(entity) === entityKey(suspect.entity);
    const reported = [
      ...evidence.reported.filter((one) => !isOwn(one)),
      ...unreported.map(({ entity }) => ({ entity, excess: null })),
    ];
    if (!isAlreadyReported(suspect, reported)) unreported.push(suspect);
  }
  return unreported;
};
