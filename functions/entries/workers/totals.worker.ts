import pMap from 'p-map';
import { readOpenPeriods } from '../../ledger/rollups/openPeriod.store.ts';
import { pendingMarkStore } from '../../ledger/rollups/pendingMark.store.ts';
import { rollupQueue } from '../../ledger/rollups/queue.store.ts';
import { totalsSweep } from '../../ledger/rollups/sweepTotals.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { withMetrics } from '../../platform/shared/metrics.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { tenantDirectory } from '../../platform/tenancy/tenant.store.ts';

/** The number of tenants processed in parallel. */
const CONCURRENCY = 8;

const directory = tenantDirectory(resource('table', 'tenants'));
const rollups = resource('table', 'rollups');
const tasks = totalsSweep({
  pendingMarks: pendingMarkStore(resource('table', 'counters')),
  openPeriods: (tenantId) => readOpenPeriods(rollups, tenantId),
  queue: rollupQueue(resource('queue', 'rollups')),
});

/** Keeps the totals of every tenant equal to its ledger. A failure is logged and does not stop the others. */
export const handler = withMetrics(async (): Promise<void> => {
  const now = systemClock();
  const runTasks = async (tenantId: string): Promise<void> => {
    for (const run of tasks) {
      await run(tenantId, now).catch((error: unknown) =>
        log({
          level: 'error',
          message: 'totals sweep failed',
          tenant_id: tenantId,
          ...describeError(error),
        }),
      );
    }
  };
  for await (const tenants of directory.pages()) {
    await pMap(tenants, ({ tenant_id }) => runTasks(tenant_id), { concurrency: CONCURRENCY });
  }
});
