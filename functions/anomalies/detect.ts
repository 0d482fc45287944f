import type { Anomaly, AnomalyGrain } from '../../schemas/anomalies.ts';
import type { Rollup } from '../../schemas/rollup.ts';
import type { Outbox } from '../events/outbox.store.ts';
import { LENGTH, startOf } from '../rollups/period.ts';
import type { RollupReader } from '../rollups/rollup.store.ts';
import { commit } from '../shared/aws/document.store.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { AnomalyWatchStore } from './anomaly.store.ts';
import { type Entity, entityKey } from './entity.ts';
import {
  detectedEvent,
  excessOf,
  extended,
  holds,
  newFinding,
  overlaps,
  reaches,
  scaleOf,
} from './finding.ts';
import { HISTORY, hoursLike } from './history.ts';
import { type Candidate, judge, type Told } from './judge.ts';

/** A period is judged so long after its end, when nearly all of its events are in, in milliseconds. */
const SETTLED = 10 * LENGTH.minute;
/** Periods made up for at most, where nothing was judged for a while. */
const CATCH_UP: Readonly<Record<AnomalyGrain, number>> = { hour: 24, day: 3 };

export interface DetectionStores {
  readonly anomalies: AnomalyWatchStore;
  readonly rollups: RollupReader;
  readonly outbox: Outbox;
}

/** The beginnings of the periods that are over at `now` and not judged yet, the earliest first. */
export const duePeriods = (grain: AnomalyGrain, judgedUntil: number | null, now: number): number[] => {
  const length = LENGTH[grain];
  const end = startOf(grain, now - SETTLED);
  const from = Math.max(judgedUntil ?? end - length, end - CATCH_UP[grain] * length);
  return Array.from({ length: Math.max(0, (end - from) / length) }, (_, index) => from + index * length);
};

const find = (known: readonly Anomaly[], entity: Entity, grain: AnomalyGrain): Anomaly | undefined =>
  known.find((one) => one.grain === grain && entityKey(one) === entityKey(entity));

/** What was told of before that a period may show again: in a day what its hours were, in an hour what the days before. */
const toldOf = (known: readonly Anomaly[], { grain, start }: Rollup): Told[] =>
  grain === 'day'
    ? known
        .filter((one) => one.grain === 'hour' && overlaps(one, start, start + LENGTH.day))
        .map((entity) => ({ entity, excess: excessOf(entity) }))
    : known
        .filter((one) => one.grain === 'day' && reaches(one, start))
        .map((entity) => ({ entity, excess: null }));

/**
 * Judges the hours and days of a tenant that are over and were not judged yet. Call it about once an hour, and again
 * after a crash: a finding is written together with its event, on top of what was seen of its entity, and a period that
 * a finding holds already is not added to it again.
 */
export const anomalyWatch = ({ anomalies, rollups, outbox }: DetectionStores) => {
  const pastOf = async (tenantId: string, { grain, start }: Rollup): Promise<Rollup[]> => {
    const day = startOf('day', start);
    const reads = [rollups.read(tenantId, { grain: 'day', from: day - HISTORY, to: day })];
    if (grain === 'hour') {
      reads.push(...hoursLike(start).map((stretch) => rollups.read(tenantId, { grain, ...stretch })));
    }
    return (await Promise.all(reads)).flat();
  };

  const tell = async (
    tenant: Tenant,
    candidate: Candidate,
    known: readonly Anomaly[],
    now: number,
  ): Promise<void> => {
    const { entity, grain, start } = candidate;
    const latest = find(known, entity, grain) ?? null;
    if (latest !== null && holds(latest, start)) return;
    const begun = newFinding(tenant, candidate, now);
    const goesOn = latest !== null && reaches(latest, start);
    // Whoever else judges the same period comes to the same, and comes second.
    await commit([
      ...anomalies.put(tenant.tenant_id, goesOn ? extended(latest, begun) : begun, latest),
      ...(goesOn ? [] : [outbox.raise(detectedEvent(tenant, begun))]),
    ]);
  };

  const judgePeriod = async (
    tenant: Tenant,
    grain: AnomalyGrain,
    start: number,
    now: number,
  ): Promise<void> => {
    const { tenant_id: tenantId } = tenant;
    const [judged] = await rollups.read(tenantId, { grain, from: start, to: start + LENGTH[grain] });
    if (judged === undefined) return;
    const [past, known] = await Promise.all([pastOf(tenantId, judged), anomalies.latest(tenantId)]);
    const candidates = judge({
      tenantId,
      judged,
      past,
      told: toldOf(known, judged),
      // What is known to be out of its range for days is a finding already; its hours must be out of that, too.
      scaleOf: (entity) => {
        const days = grain === 'hour' ? find(known, entity, 'day') : undefined;
        return days !== undefined && reaches(days, start) ? scaleOf(days) : undefined;
      },
      goesOn: (entity) => {
        const latest = find(known, entity, grain);
        return latest !== undefined && reaches(latest, start);
      },
    });
    for (const candidate of candidates) await tell(tenant, candidate, known, now);
  };

  /** `now` is epoch milliseconds. */
  return async (tenant: Tenant, now: number): Promise<void> => {
    for (const grain of ['hour', 'day'] as const) {
      const judgedUntil = await anomalies.judgedUntil(tenant.tenant_id, grain);
      for (const start of duePeriods(grain, judgedUntil, now)) {
        await judgePeriod(tenant, grain, start, now);
        await commit([anomalies.putJudged(tenant.tenant_id, grain, start + LENGTH[grain])]);
      }
    }
  };
};
