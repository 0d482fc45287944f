import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import type { Anomaly, AnomalyGrain } from '../../../schemas/insight/anomalies.ts';
import type { Rollup } from '../../../schemas/ledger/rollup.ts';
import type { Follower, FollowPeriods } from '../../ledger/freshness/followPeriods.ts';
import { LENGTH, startOf } from '../../ledger/rollups/grain.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
import type { Outbox } from '../../platform/outbox/outbox.store.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { type Decimal, sumOf } from '../../platform/shared/decimal.ts';
import { settleAll } from '../../platform/shared/settleAll.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { AnomalyDetectionStore } from './anomaly.store.ts';
import { HISTORY_MS, isBaselineHour } from './baseline.ts';
import { type CostPeriod, costReader } from './costPeriods.ts';
import { type Candidate, detectAnomalies, EXCESS_MINIMUM, type ReportedAnomaly } from './detectAnomalies.ts';
import { type Entity, entityKey } from './entity.ts';
import {
  canExtendTo,
  detectedEvent,
  excessOf,
  extendFinding,
  includesPeriod,
  isBefore,
  newFinding,
  overlaps,
  scaleOf,
} from './finding.ts';
import type { MuteStore } from './mutes/mute.store.ts';
import { mutedUntil } from './mutes/mutes.ts';

/** A period is evaluated this long after its end, when nearly all of its events have arrived. */
const SETTLING_DELAY_MS = 10 * MINUTE_MS;
/** A period is evaluated, and evaluated again when its totals change, until so many others have followed it. */
const PERIODS_WATCHED: Readonly<Record<AnomalyGrain, number>> = { hour: 48, day: 8 };

const followerOf = (grain: AnomalyGrain): Follower => ({
  name: `anomalies by ${grain}`,
  grain,
  waitMs: DAY_MS,
  againAfterMs: HOUR_MS,
  servesEmpty: false,
  beginsWith: 'newest',
});
/** The detector follows the totals of each grain. */
export const detectionFollowers: Readonly<Record<AnomalyGrain, Follower>> = {
  hour: followerOf('hour'),
  day: followerOf('day'),
};

export interface DetectionStores {
  readonly anomalies: AnomalyDetectionStore;
  readonly mutes: Pick<MuteStore, 'find'>;
  readonly rollups: RollupReader;
  readonly outbox: Outbox;
  readonly follow: FollowPeriods;
}

const rollupCost = ({ groups }: Rollup): Decimal =>
  sumOf(groups.map(({ figures }) => figures.cost_usd.central));

/** The periods of a grain that are over at `now` and still evaluated, earliest first (epoch milliseconds). */
export const watchedPeriods = (grain: AnomalyGrain, now: number): Interval[] => {
  const length = LENGTH[grain];
  const from = startOf(grain, now - SETTLING_DELAY_MS) - PERIODS_WATCHED[grain] * length;
  return Array.from({ length: PERIODS_WATCHED[grain] }, (_, index) => ({
    from: from + index * length,
    to: from + (index + 1) * length,
  }));
};

const isOf = (finding: Anomaly, entity: Entity, grain: AnomalyGrain): boolean =>
  finding.grain === grain && entityKey(finding) === entityKey(entity);

const findLatest = (known: readonly Anomaly[], entity: Entity, grain: AnomalyGrain): Anomaly | undefined =>
  known.find((one) => isOf(one, entity, grain));

/**
 * Findings that can explain the excess of a period: for a day the findings of its hours, and for an hour the findings of
 * the days before it.
 */
const reportedBefore = (known: readonly Anomaly[], { grain, start }: CostPeriod): ReportedAnomaly[] =>
  grain === 'day'
    ? known
        .filter((one) => one.grain === 'hour' && overlaps(one, start, start + DAY_MS))
        .map((entity) => ({ entity, excess: excessOf(entity) }))
    : known
        .filter((one) => one.grain === 'day' && canExtendTo(one, start))
        .map((entity) => ({ entity, excess: null }));

/**
 * Evaluates the hours or days of a tenant that are over: each when its totals are complete, and again when they change. It
 * may be repeated after a crash: a finding is written in one transaction with its event, with an optimistic lock on the
 * newest finding of its entity, and a period is added to a finding once.
 */
export const anomalyDetector = ({ anomalies, mutes, rollups, outbox, follow }: DetectionStores) => {
  /** The period with its history, both from whole cohorts. */
  const readPeriods = async (
    tenantId: string,
    grain: AnomalyGrain,
    start: number,
  ): Promise<{ readonly current: CostPeriod | undefined; readonly past: readonly CostPeriod[] }> => {
    const costs = costReader(rollups, tenantId);
    const day = startOf('day', start);
    const days = await costs.days({ from: day - HISTORY_MS, to: day + DAY_MS });
    const past = days.filter((one) => one.start < day);
    if (grain === 'day') return { current: days.find((one) => one.start === day), past };
    const hours = await costs.hours(
      { from: day - HISTORY_MS - DAY_MS, to: day + DAY_MS },
      (hour) => hour === start || isBaselineHour(hour, start),
    );
    return {
      current: hours.find((hour) => hour.start === start),
      past: [...past, ...hours.filter((hour) => hour.start !== start)],
    };
  };

  const recordFinding = async (
    tenant: Tenant,
    candidate: Candidate,
    known: readonly Anomaly[],
    now: number,
  ): Promise<void> => {
    const { entity, grain, start } = candidate;
    const latest = findLatest(known, entity, grain) ?? null;
    const isEarlier = latest !== null && isBefore(start, latest);
    // What was found in the meantime is no longer the newest finding of the entity.
    const found = isEarlier ? await anomalies.findingsSince(tenant.tenant_id, start) : known;
    if (found.some((one) => isOf(one, entity, grain) && includesPeriod(one, start))) return;
    const created = newFinding(tenant, candidate, now);
    const isOngoing = latest !== null && !isEarlier && canExtendTo(latest, start);
    const { document: muted } = await mutes.find(tenant.tenant_id);
    const isSilent = isOngoing || mutedUntil(muted, entity, now) !== null;
    // A concurrent run computes the same finding. Its commit fails the condition, and nothing is lost.
    const writes = isEarlier
      ? [anomalies.putEarlier(tenant.tenant_id, created)]
      : anomalies.put(tenant.tenant_id, isOngoing ? extendFinding(latest, created) : created, latest);
    await commit([...writes, ...(isSilent ? [] : [outbox.raise(detectedEvent(tenant, created))])]);
  };

  const evaluatePeriod = async (
    tenant: Tenant,
    grain: AnomalyGrain,
    start: number,
    now: number,
  ): Promise<void> => {
    const { tenant_id: tenantId } = tenant;
    // Its cohorts cost at most as much as all of its calls. Below the minimum no finding is possible, so no history is read.
    const [rollup] = await rollups.read(tenantId, { grain, from: start, to: start + LENGTH[grain] });
    if (rollup === undefined || rollupCost(rollup).lt(EXCESS_MINIMUM[grain])) return;
    const { current, past } = await readPeriods(tenantId, grain, start);
    if (current === undefined) return;
    const known = await anomalies.latest(tenantId);
    const candidates = detectAnomalies({
      current,
      past,
      reported: reportedBefore(known, current),
      // An ongoing day finding already covers a higher level. An hour must exceed the range at that level.
      scaleOf: (entity) => {
        const dayFinding = grain === 'hour' ? findLatest(known, entity, 'day') : undefined;
        return dayFinding !== undefined && canExtendTo(dayFinding, start) ? scaleOf(dayFinding) : undefined;
      },
      isOngoing: (entity) => {
        const latest = findLatest(known, entity, grain);
        return latest !== undefined && canExtendTo(latest, start);
      },
    });
    // Each is of an entity of its own. One that cannot be recorded fails the run, and is tried again in the next one.
    await settleAll(candidates.map((candidate) => recordFinding(tenant, candidate, known, now)));
  };

  /** `now` is epoch milliseconds. */
  return async (tenant: Tenant, grain: AnomalyGrain, now: number): Promise<void> => {
    const { tenant_id: tenantId } = tenant;
    await follow(tenantId, detectionFollowers[grain], watchedPeriods(grain, now), now, ({ from }) =>
      evaluatePeriod(tenant, grain, from, now),
    );
    if (grain === 'hour') await commit([anomalies.evaluated(tenantId, now)]);
  };
};
