import { DAY_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import type { Anomaly, AnomalyGrain } from '../../../schemas/insight/anomalies.ts';
import type { Rollup } from '../../../schemas/ledger/rollup.ts';
import { addDecimals } from '../../ledger/rollups/figures.ts';
import { LENGTH, startOf } from '../../ledger/rollups/grain.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
import type { Outbox } from '../../platform/outbox/outbox.store.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { type Decimal, decimal } from '../../platform/shared/decimal.ts';
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
  newFinding,
  overlaps,
  scaleOf,
} from './finding.ts';
import type { MuteStore } from './mutes/mute.store.ts';
import { mutedUntil } from './mutes/mutes.ts';

/** A period is evaluated this long after its end, when nearly all of its events have arrived. */
const SETTLING_DELAY_MS = 10 * MINUTE_MS;
/** Most periods that one run evaluates after an outage. */
const CATCH_UP_PERIODS: Readonly<Record<AnomalyGrain, number>> = { hour: 24, day: 3 };

export interface DetectionStores {
  readonly anomalies: AnomalyDetectionStore;
  readonly mutes: Pick<MuteStore, 'find'>;
  readonly rollups: RollupReader;
  readonly outbox: Outbox;
}

const rollupCost = ({ groups }: Rollup): Decimal =>
  decimal(groups.reduce((total, { figures }) => addDecimals(total, figures.cost_usd.central), '0'));

/** The starts of the periods that are over at `now` and not yet evaluated, earliest first (epoch milliseconds). */
export const duePeriods = (grain: AnomalyGrain, watermark: number | null, now: number): number[] => {
  const length = LENGTH[grain];
  const end = startOf(grain, now - SETTLING_DELAY_MS);
  const from = Math.max(watermark ?? end - length, end - CATCH_UP_PERIODS[grain] * length);
  return Array.from({ length: Math.max(0, (end - from) / length) }, (_, index) => from + index * length);
};

const findLatest = (known: readonly Anomaly[], entity: Entity, grain: AnomalyGrain): Anomaly | undefined =>
  known.find((one) => one.grain === grain && entityKey(one) === entityKey(entity));

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
 * Evaluates the hours and days of a tenant that are over and not yet evaluated. Call it about once an hour. It may be
 * repeated after a crash: a finding is written in one transaction with its event, with an optimistic lock on the newest
 * finding of its entity, and a period is added to a finding once.
 */
export const anomalyDetector = ({ anomalies, mutes, rollups, outbox }: DetectionStores) => {
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
    if (latest !== null && includesPeriod(latest, start)) return;
    const created = newFinding(tenant, candidate, now);
    const isOngoing = latest !== null && canExtendTo(latest, start);
    const { document: muted } = await mutes.find(tenant.tenant_id);
    const isSilent = isOngoing || mutedUntil(muted, entity, now) !== null;
    // A concurrent run computes the same finding. Its commit fails the condition, and nothing is lost.
    await commit([
      ...anomalies.put(tenant.tenant_id, isOngoing ? extendFinding(latest, created) : created, latest),
      ...(isSilent ? [] : [outbox.raise(detectedEvent(tenant, created))]),
    ]);
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
    for (const candidate of candidates) await recordFinding(tenant, candidate, known, now);
  };

  /** `now` is epoch milliseconds. */
  return async (tenant: Tenant, now: number): Promise<void> => {
    for (const grain of ['hour', 'day'] as const) {
      const watermark = await anomalies.watermark(tenant.tenant_id, grain);
      for (const start of duePeriods(grain, watermark, now)) {
        await evaluatePeriod(tenant, grain, start, now);
        await commit([anomalies.putWatermark(tenant.tenant_id, grain, start + LENGTH[grain])]);
      }
    }
  };
};
