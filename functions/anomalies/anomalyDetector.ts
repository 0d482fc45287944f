import type { Anomaly, AnomalyGrain } from '../../schemas/anomalies.ts';
import type { Rollup } from '../../schemas/rollup.ts';
import type { Outbox } from '../events/outbox.store.ts';
import { LENGTH, startOf } from '../rollups/grain.ts';
import type { RollupReader } from '../rollups/rollup.store.ts';
import { commit } from '../shared/aws/document.store.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { AnomalyDetectionStore } from './anomaly.store.ts';
import { baselineHourRanges, HISTORY_MS } from './baseline.ts';
import { type Candidate, detectAnomalies, type ReportedAnomaly } from './detectAnomalies.ts';
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

/** A period is judged so long after its end, when nearly all of its events are in, in milliseconds. */
const SETTLING_DELAY_MS = 10 * LENGTH.minute;
/** Periods made up for at most, where nothing was judged for a while. */
const CATCH_UP_PERIODS: Readonly<Record<AnomalyGrain, number>> = { hour: 24, day: 3 };

export interface DetectionStores {
  readonly anomalies: AnomalyDetectionStore;
  readonly rollups: RollupReader;
  readonly outbox: Outbox;
}

/** The beginnings of the periods that are over at `now` and not judged yet, the earliest first. */
export const duePeriods = (grain: AnomalyGrain, watermark: number | null, now: number): number[] => {
  const length = LENGTH[grain];
  const end = startOf(grain, now - SETTLING_DELAY_MS);
  const from = Math.max(watermark ?? end - length, end - CATCH_UP_PERIODS[grain] * length);
  return Array.from({ length: Math.max(0, (end - from) / length) }, (_, index) => from + index * length);
};

const find = (known: readonly Anomaly[], entity: Entity, grain: AnomalyGrain): Anomaly | undefined =>
  known.find((one) => one.grain === grain && entityKey(one) === entityKey(entity));

/** What was told of before that a period may show again: in a day what its hours were, in an hour what the days before. */
const reportedBefore = (known: readonly Anomaly[], { grain, start }: Rollup): ReportedAnomaly[] =>
  grain === 'day'
    ? known
        .filter((one) => one.grain === 'hour' && overlaps(one, start, start + LENGTH.day))
        .map((entity) => ({ entity, excess: excessOf(entity) }))
    : known
        .filter((one) => one.grain === 'day' && canExtendTo(one, start))
        .map((entity) => ({ entity, excess: null }));

/**
 * Judges the hours and days of a tenant that are over and were not judged yet. Call it about once an hour, and again
 * after a crash: a finding is written together with its event, on top of what was seen of its entity, and a period that
 * a finding holds already is not added to it again.
 */
export const anomalyDetector = ({ anomalies, rollups, outbox }: DetectionStores) => {
  const pastOf = async (tenantId: string, { grain, start }: Rollup): Promise<Rollup[]> => {
    const day = startOf('day', start);
    const reads = [rollups.read(tenantId, { grain: 'day', from: day - HISTORY_MS, to: day })];
    if (grain === 'hour') {
      reads.push(...baselineHourRanges(start).map((range) => rollups.read(tenantId, { grain, ...range })));
    }
    return (await Promise.all(reads)).flat();
  };

  const recordFinding = async (
    tenant: Tenant,
    candidate: Candidate,
    known: readonly Anomaly[],
    now: number,
  ): Promise<void> => {
    const { entity, grain, start } = candidate;
    const latest = find(known, entity, grain) ?? null;
    if (latest !== null && includesPeriod(latest, start)) return;
    const begun = newFinding(tenant, candidate, now);
    const isOngoing = latest !== null && canExtendTo(latest, start);
    // Whoever else judges the same period comes to the same, and comes second.
    await commit([
      ...anomalies.put(tenant.tenant_id, isOngoing ? extendFinding(latest, begun) : begun, latest),
      ...(isOngoing ? [] : [outbox.raise(detectedEvent(tenant, begun))]),
    ]);
  };

  const evaluatePeriod = async (
    tenant: Tenant,
    grain: AnomalyGrain,
    start: number,
    now: number,
  ): Promise<void> => {
    const { tenant_id: tenantId } = tenant;
    const [current] = await rollups.read(tenantId, { grain, from: start, to: start + LENGTH[grain] });
    if (current === undefined) return;
    const [past, known] = await Promise.all([pastOf(tenantId, current), anomalies.latest(tenantId)]);
    const candidates = detectAnomalies({
      tenantId,
      current,
      past,
      reported: reportedBefore(known, current),
      // What is known to be out of its range for days is a finding already; its hours must be out of that, too.
      scaleOf: (entity) => {
        const days = grain === 'hour' ? find(known, entity, 'day') : undefined;
        return days !== undefined && canExtendTo(days, start) ? scaleOf(days) : undefined;
      },
      isOngoing: (entity) => {
        const latest = find(known, entity, grain);
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
