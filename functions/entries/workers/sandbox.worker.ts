import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../../../schemas/durations.ts';
import { mappingWriter } from '../../attribution/mappings/mapping.store.ts';
import { enqueueEvents } from '../../ingest/events/acceptEvents.ts';
import { acceptedQueue } from '../../ingest/events/acceptedQueue.aws.ts';
import { budgetWriter } from '../../insight/budgets/budget.store.ts';
import { progressStore } from '../../ledger/freshness/progress.store.ts';
import { progressReporter } from '../../ledger/freshness/progress.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { tenantReader } from '../../platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { sampleConfigurator } from '../../tenants/sandbox/configureSample.ts';
import { sandboxRunner } from '../../tenants/sandbox/runSandbox.ts';
import { sandboxStore } from '../../tenants/sandbox/sandbox.store.ts';
import { sandboxData } from '../../tenants/sandbox/sandboxData.ts';
import { tenantsInPlace } from '../wiring/roundsFromEnv.ts';

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
        enqueueEvents(intake, events, {
          caller: { tenant, residency: null },
          receivedAt: systemClock(),
        }),
      isTotalled: async (...given) => (await reviewing()).isTotalled(...given),
      review: async (...given) => (await reviewing()).review(...given),
    },
    clock: systemClock,
    newClaim: randomUUID,
  })(tenant);

const tenants = tenantReader(resource('table', 'tenants'));

/** Continues the reset of a sandbox, or adds its live traffic. A failure is logged, and the next run repeats the step. */
const runSandbox = async (tenant_id: string): Promise<void> => {
  try {
    const tenant = await tenants.tenant(tenant_id);
    if (tenant?.sandbox === true) await runFor(tenant);
  } catch (error) {
    log({ level: 'error', message: 'the run of a sandbox failed', tenant_id, ...describeError(error) });
  }
};

/** Longer than a run works on a reset (`runSandbox.ts`). */
const RESERVED_MS = MINUTE_MS;

export const handler = tenantsInPlace('sandboxes', {
  hasWork: ({ isSandbox }) => isSandbox,
  concurrency: 10,
  reservedMs: RESERVED_MS,
  work: runSandbox,
});
