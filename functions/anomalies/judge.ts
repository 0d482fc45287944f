import type { AnomalyDimension, AnomalyGrain, Driver } from '../../schemas/anomalies.ts';
import type { Rollup } from '../../schemas/rollup.ts';
import { type Decimal, decimal } from '../shared/decimal.ts';
import { mayBeNamed, personLabels } from './cohort.ts';
import { costOf, driversOf, excessIn, type Scene } from './drivers.ts';
import { type Entity, entitiesOf, entityKey, isOf } from './entity.ts';
import { median } from './expectation.ts';
import { likePeriods } from './history.ts';
import { seriesTable } from './seriesTable.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** An entity whose period was out of its range. */
export interface Candidate {
  readonly entity: Entity;
  readonly grain: AnomalyGrain;
  /** Beginning of the period, epoch milliseconds. */
  readonly start: number;
  readonly verdict: Verdict;
  readonly drivers: readonly Driver[];
}

/** An excess that somebody was told of before: an hour's in its day, or that of the days before in an hour. */
export interface Told {
  readonly entity: Entity;
  /** How much of it, in USD; null: whatever it is. */
  readonly excess: Decimal | null;
}

/** What a judgement rests on. */
export interface Evidence {
  readonly tenantId: string;
  /** The hour or day that is judged. */
  readonly judged: Rollup;
  /** The days before it, and the hours like it where it is one. */
  readonly past: readonly Rollup[];
  readonly told: readonly Told[];
  /** How many times its usual level an entity is known to be at already; undefined: nothing is known. */
  readonly scaleOf: (entity: Entity) => Decimal | undefined;
  /** Whether a finding of the entity goes on. */
  readonly goesOn: (entity: Entity) => boolean;
}

/** The least excess that is worth a word, in USD, and as a share of what the lane costs on a day in the middle. */
const EXCESS_MINIMUM: Readonly<Record<AnomalyGrain, Decimal>> = { hour: decimal('1'), day: decimal('5') };
const EXCESS_SHARE = decimal('0.005');
/** An excess of which so much was told under other names is no news. */
const NO_NEWS = decimal('0.8');
/** Under which of several names an excess is told. */
const ORDER: readonly AnomalyDimension[] = ['service', 'owner', 'served_model', 'tenant'];

const ZERO = decimal('0');

const minimumOf = (past: readonly Rollup[], grain: AnomalyGrain, residency: string | null): Decimal => {
  const lane = isOf({ dimension: 'tenant', value: null, residency });
  const days = past.filter((rollup) => rollup.grain === 'day');
  const share = median(days.map(({ groups }) => decimal(costOf(groups.filter(lane))))).times(EXCESS_SHARE);
  return share.gt(EXCESS_MINIMUM[grain]) ? share : EXCESS_MINIMUM[grain];
};

interface Suspect extends Candidate {
  readonly scene: Scene;
  readonly excess: Decimal;
}

/** Whether most of an excess was told of already, by other names that do not overlap: those of one dimension. */
const isNoNews = ({ entity, excess, scene }: Suspect, told: readonly Told[]): boolean => {
  const inLane = told.filter((one) => one.entity.residency === entity.residency);
  return [...Map.groupBy(inLane, (one) => one.entity.dimension).values()].some((names) => {
    const parts = names.map((name) => {
      const part = excessIn(scene, isOf(name.entity));
      return name.excess?.lt(part) ? name.excess : part;
    });
    return parts.reduce((sum, part) => sum.plus(part), ZERO).gte(excess.times(NO_NEWS));
  });
};

/** The entities whose period was out of its range, each excess under one name, and none of one to four persons. */
export const judge = (evidence: Evidence): Candidate[] => {
  const { tenantId, judged, past, scaleOf, goesOn } = evidence;
  const { grain, start, groups } = judged;
  if (grain === 'minute') return [];
  const seriesOf = seriesTable([...past, judged]);
  const isPerson = personLabels(tenantId, [...past, judged]);
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
    const verdict = verdictOf(series, grain, start, { minimum, ...(scale && { scale }) });
    if (verdict === null) return [];
    const own = groups.filter(isOf(entity));
    const rest = groups.filter(
      (group) => group.dimensions.residency === entity.residency && !own.includes(group),
    );
    if (entity.value !== null && (isPerson(entity.value) || !mayBeNamed(own, rest))) return [];
    const [most = []] = likePeriods(grain, start, series.since);
    const scene = { groups: own, like: most.map((like) => (before.get(like) ?? []).filter(isOf(entity))) };
    const excess = verdict.observed.minus(verdict.central);
    const drivers = driversOf(entity, scene, excess, isPerson);
    return [{ entity, grain, start, verdict, drivers, scene, excess }];
  };

  const entities = new Map(
    groups.flatMap(({ dimensions }) =>
      entitiesOf(dimensions).map((entity) => [entityKey(entity), entity] as const),
    ),
  );
  const rank = ({ entity }: Suspect): number =>
    (goesOn(entity) ? 0 : ORDER.length) + ORDER.indexOf(entity.dimension);
  const suspects = [...entities.values()].flatMap(suspectOf).sort((one, other) => rank(one) - rank(other));
  const news: Candidate[] = [];
  for (const suspect of suspects) {
    // What is out of a range that allows for what was told before is news, whoever told it.
    const isOwn = ({ entity, excess }: Told): boolean =>
      excess === null && entityKey(entity) === entityKey(suspect.entity);
    const told = [
      ...evidence.told.filter((one) => !isOwn(one)),
      ...news.map(({ entity }) => ({ entity, excess: null })),
    ];
    if (!isNoNews(suspect, told)) news.push(suspect);
  }
  return news;
};
