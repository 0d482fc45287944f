import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import { mappingWriter } from '../../attribution/mappings/mapping.store.ts';
import { acceptedQueue } from '../../ingest/events/acceptedQueue.store.ts';
import { enqueueEvents } from '../../ingest/events/enqueueEvents.ts';
import { budgetWriter } from '../../insight/budgets/budget.store.ts';
import { progressStore } from '../../ledger/freshness/progress.store.ts';
import { progressReporter } from '../../ledger/freshness/progress.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { tenantDirectory, tenantReader } from '../../platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { sampleConfigurator } from '../../tenants/sandbox/configureSample.ts';
import { sandboxRunner } from '../../tenants/sandbox/runSandbox.ts';
import { sandboxStore } from '../../tenants/sandbox/sandbox.store.ts';
import { sandboxData } from '../../tenants/sandbox/sandboxData.ts';

const directory = tenantDirectory(resource('table', 'tenants'));
const intake = {
  accepted: acceptedQueue(resource('queue', 'accepted')),
  reportProgress: progressReporter(progressStore(resource('table', 'counters'))),
};
const configure = sampleConfigurator({
  mappings: mappingWriter(resource('table', 'identity')),
  budgets: budgetWriter(resource('table', 'budgets')),
});
/** Loaded on first use: most runs only send live traffic. */
const reviewing = () => import('../wiring/sandboxReview.ts');

const runFor = (tenant: Tenant): Promise<void> =>
  sandboxRunner({
    sandboxes: sandboxStore(resource('table', 'tenants')),
    tenants: tenantReader(resource('table', 'tenants')),
    actions: {
      ...sandboxData(tenant, {
        table: (name) => resource('table', name),
        bucket: (name) => resource('bucket', name),
      }),
      configure,
      send: (_, events) =>
        enqueueEvents(intake, {
          caller: { tenant, residency: null },
          receivedAt: systemClock(),
          events: events.map((event) => JSON.stringify(event)),
          droppedMembers: 0,
        }),
      isTotalled: async (...given) => (await reviewing()).isTotalled(...given),
      review: async (...given) => (await reviewing()).review(...given),
    },
    clock: systemClock,
    newClaim: randomUUID,
  })(tenant);

/** Tenants at a time. A long reset of one delays no other. */
const CONCURRENCY = 10;

/** Continues the reset of every sandbox, or adds its live traffic. A failure is logged, and the next run repeats the step. */
export const handler = async (): Promise<void> => {
  const sandboxes: Tenant[] = [];
  for await (const tenants of directory.pages())
    sandboxes.push(...tenants.filter(({ sandbox }) => sandbox === true));
  let failures = 0;
  const runOrLog = async (tenant: Tenant): Promise<void> => {
    try {
      await runFor(tenant);
    } catch (error) {
      failures += 1;
      log({
        level: 'error',
        message: 'the run of a sandbox failed',
        tenant_id: tenant.tenant_id,
        ...describeError(error),
      });
    }
  };
  await pMap(sandboxes, runOrLog, { concurrency: CONCURRENCY });
  if (failures > 0) throw new Error(`The runs of ${failures} sandboxes failed.`);
};
