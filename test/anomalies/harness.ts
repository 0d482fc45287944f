import { anomalyDetectionStore, findingReader } from '../../functions/anomalies/anomaly.store.ts';
import { anomalyDetector } from '../../functions/anomalies/anomalyDetector.ts';
import { outbox } from '../../functions/events/outbox.store.ts';
import { LENGTH, startOf } from '../../functions/rollups/grain.ts';
import type { RollupReader } from '../../functions/rollups/rollup.store.ts';
import { sumGroups } from '../../functions/rollups/rollup.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import type { Anomaly } from '../../schemas/anomalies.ts';
import type { RollupGroup } from '../../schemas/rollup.ts';

/** What happened in the hour that begins at an instant. */
export type GroupsByHour = (hour: number) => readonly RollupGroup[];

/** Rollups of whatever is said to have happened, hours and days alike. */
export const rollupReaderOf = (happening: () => GroupsByHour): RollupReader => ({
  read: async (_tenantId, { grain, from, to }) => {
    const starts = Array.from(
      { length: Math.max(0, (to - from) / LENGTH[grain]) },
      (_, index) => from + index * LENGTH[grain],
    );
    return starts.flatMap((start) => {
      const hours = Array.from({ length: LENGTH[grain] / LENGTH.hour }, (_, index) =>
        happening()(start + index * LENGTH.hour),
      );
      const groups = sumGroups(hours.flat());
      return groups.length === 0 ? [] : [{ start, grain, asOf: start, groups }];
    });
  },
});

/** Judging over the real tables, and what it has found. */
export const startDetection = (happening: () => GroupsByHour) => {
  const watch = anomalyDetector({
    anomalies: anomalyDetectionStore('anomalies'),
    rollups: rollupReaderOf(happening),
    outbox: outbox('outbox'),
  });
  return {
    watch,
    findings: ({ tenant_id }: Tenant): Promise<Anomaly[]> =>
      findingReader('anomalies').findings(tenant_id, { descending: false, limit: 100 }),
    /** Judges as the schedule does, once in each hour that ends between two instants. */
    through: async (tenant: Tenant, from: number, to: number): Promise<void> => {
      for (let at = startOf('hour', from) + LENGTH.hour; at <= to; at += LENGTH.hour) {
        await watch(tenant, at + 11 * LENGTH.minute);
      }
    },
  };
};
