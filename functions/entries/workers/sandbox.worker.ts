import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../../../schemas/durations.ts';
import { enqueueEvents } from '../../ingest/events/acceptEvents.ts';
import { OWN_PROVENANCE } from '../../ledger/records/provenance.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { resource } from '../../platform/shared/settings.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { sampleConfigurator } from '../../tenants/sandbox/configureSample.ts';
import { sandboxRunner } from '../../tenants/sandbox/runSandbox.ts';
import { sandboxData } from '../../tenants/sandbox/sandboxData.ts';
import { identityWrite } from '../stores/attribution.ts';
import { environment } from '../stores/environment.ts';
import { acceptedSend } from '../stores/ingest.ts';
import { budgetsWrite } from '../stores/insight.ts';
import { tenantsRead } from '../stores/platform.ts';
import { progressReport } from '../stores/progress.ts';
import { storesIn } from '../stores/provider.ts';
import { sandboxWrite } from '../stores/tenants.ts';
import { tenantsInPlace } from '../wiring/roundsFromEnv.ts';

const { clock } = environment;
const { accepted, reportProgress, mappingWriter, budgetWriter, tenants, sandboxes } = storesIn(environment, {
  acceptedSend,
  budgetsWrite,
  identityWrite,
  progressReport,
  sandboxWrite,
  tenantsRead,
});
const configure = sampleConfigurator({ mappings: mappingWriter, budgets: budgetWriter });
/** Loaded on first use: most runs only send live traffic. */
const reviewing = () => import('../wiring/sandboxReview.ts');

const runFor = (tenant: Tenant): Promise<void> =>
  sandboxRunner({
    sandboxes,
    tenants,
    actions: {
      ...sandboxData(tenant, {
        table: (name) => resource('table', name),
        bucket: (name) => resource('bucket', name),
      }),
      configure,
      send: (_, events) =>
        enqueueEvents({ accepted, reportProgress }, events, {
          tenant,
          residency: null,
          statedBy: OWN_PROVENANCE,
          receivedAt: clock(),
        }),
      isTotalled: async (...given) => (await reviewing()).isTotalled(...given),
      review: async (...given) => (await reviewing()).review(...given),
    },
    clock,
    newClaim: randomUUID,
  })(tenant);

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
