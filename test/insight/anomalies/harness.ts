import { randomUUID } from 'node:crypto';
import { anomalyDetectionStore, findingReader } from '../../../functions/insight/anomalies/anomaly.store.ts';
import { anomalyDetector } from '../../../functions/insight/anomalies/anomalyDetector.ts';
import { muteStore } from '../../../functions/insight/anomalies/mutes/mute.store.ts';
import { type FollowPeriods, periodFollower } from '../../../functions/ledger/freshness/followPeriods.ts';
import { servedPeriods } from '../../../functions/ledger/freshness/servedPeriods.store.ts';
import { LENGTH, type RollupRange, startOf } from '../../../functions/ledger/rollups/grain.ts';
import type { RollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import { sumGroups } from '../../../functions/ledger/rollups/rollup.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import { sha256Of } from '../../../functions/platform/shared/hash.ts';
import type { Interval } from '../../../functions/platform/shared/time/interval.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Anomaly } from '../../../schemas/insight/anomalies.ts';
import type { RollupGrain, RollupGroup } from '../../../schemas/ledger/rollup.ts';
import { contentsOf } from '../../ledger/rollups/contents.ts';

/** The rollup groups of the hour that starts at an instant (epoch milliseconds). */
export type GroupsByHour = (hour: number) => readonly RollupGroup[];

const sums = new WeakMap<GroupsByHour, Map<string, readonly RollupGroup[]>>();
/** The groups of a period. A detection reads weeks of history, so each period is summed once. */
const sumOf = (groupsByHour: GroupsByHour, grain: RollupGrain, start: number): readonly RollupGroup[] => {
  const known = sums.get(groupsByHour) ?? new Map<string, readonly RollupGroup[]>();
  sums.set(groupsByHour, known);
  const key = `${grain} ${start}`;
  const hours = Array.from(
    { length: LENGTH[grain] / LENGTH.hour },
    (_, index) => start + index * LENGTH.hour,
  );
  const groups = known.get(key) ?? sumGroups(hours.flatMap(groupsByHour));
  known.set(key, groups);
  return groups;
};

/** A reader of hourly and daily rollups, computed from groups by hour. The same function must always return the same groups. */
export const rollupReaderOf = (happening: () => GroupsByHour): RollupReader => ({
  read: async (_tenantId, { grain, from, to }) => {
    const starts = Array.from(
      { length: Math.max(0, (to - from) / LENGTH[grain]) },
      (_, index) => from + index * LENGTH[grain],
    );
    return starts.flatMap((start) => {
      const groups = sumOf(happening(), grain, start);
      return groups.length === 0 ? [] : [{ start, grain, asOf: start, groups: [...groups] }];
    });
  },
});

/** Who follows totals, on the real table of what was served. Their versions are a digest of their groups. */
export const followerOf = (
  reader: RollupReader,
  isComplete: (period: Interval) => boolean = () => true,
): FollowPeriods =>
  periodFollower({
    versions: {
      read: async (tenantId, range) =>
        contentsOf(
          (await reader.read(tenantId, range)).map(({ start, groups }) => [
            start,
            sha256Of(JSON.stringify(groups)).readUInt32BE(),
          ]),
        ),
    },
    served: servedPeriods('jobs'),
    readCompleteness: async () => isComplete,
    hasTime: () => true,
    newClaim: randomUUID,
  });

/** An anomaly detector on the real tables, with a reader of its findings. `onRead` observes the reads of rollups. */
export const startDetection = (
  happening: () => GroupsByHour,
  onRead?: (range: RollupRange) => void,
  isComplete?: (period: Interval) => boolean,
) => {
  const reader = rollupReaderOf(happening);
  const detector = anomalyDetector({
    anomalies: anomalyDetectionStore('anomalies'),
    mutes: muteStore('anomalies'),
    rollups: {
      read: (tenantId, range) => {
        onRead?.(range);
        return reader.read(tenantId, range);
      },
    },
    outbox: outbox('outbox'),
    follow: followerOf(reader, isComplete),
  });
  const detect = async (tenant: Tenant, now: number): Promise<void> => {
    for (const grain of ['hour', 'day'] as const) await detector(tenant, grain, now);
  };
  return {
    detect,
    findings: ({ tenant_id }: Tenant): Promise<Anomaly[]> =>
      findingReader('anomalies').findings(tenant_id, { descending: false, limit: 100 }),
    /** Runs the detector as the schedule does: once for each hour that ends between two instants. */
    through: async (tenant: Tenant, from: number, to: number): Promise<void> => {
      for (let at = startOf('hour', from) + LENGTH.hour; at <= to; at += LENGTH.hour) {
        await detect(tenant, at + 11 * LENGTH.minute);
      }
    },
  };
};
