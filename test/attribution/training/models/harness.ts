import { randomUUID } from 'node:crypto';
import listModels from '../../../../functions/attribution/training/models/listModels.ts';
import recallModel from '../../../../functions/attribution/training/models/recallModel.ts';
import { modelRegistry } from '../../../../functions/attribution/training/models/registry.store.ts';
import {
  type ServingState,
  UNTRAINED,
} from '../../../../functions/attribution/training/models/servingState.ts';
import trainModel from '../../../../functions/attribution/training/models/trainModel.ts';
import { modelsRead, modelsWrite } from '../../../../functions/entries/stores/attribution.ts';
import { jobsWrite, tenantsRead } from '../../../../functions/entries/stores/platform.ts';
import { type Environment, storesIn } from '../../../../functions/entries/stores/provider.ts';
import { tenantsWrite } from '../../../../functions/entries/stores/tenants.ts';
import { commit } from '../../../../functions/platform/shared/aws/document.store.ts';
import { tenantWriter } from '../../../../functions/platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import getContractPrices from '../../../../functions/tenants/settings/getContractPrices.ts';
import getTenant from '../../../../functions/tenants/settings/getTenant.ts';
import putContractPrices from '../../../../functions/tenants/settings/putContractPrices.ts';
import updateTenant from '../../../../functions/tenants/settings/updateTenant.ts';
import type { Model } from '../../../../schemas/attribution/models.ts';
import { Job } from '../../../../schemas/jobs.ts';
import { startOperations } from '../../../platform/http/startOperations.ts';
import { outage } from '../../../support/outage.ts';
import { newTenant } from '../../../support/tenants.ts';
import { aModel, ulidAt } from './modelFixtures.ts';

const operations = {
  listModels,
  trainModel,
  recallModel,
  getTenant,
  updateTenant,
  getContractPrices,
  putContractPrices,
};

/** The operations on models and tenants, with a test queue. */
export const startModelHarness = async () => {
  const queue = { sent: [] as string[], isDown: false };
  const send = async ({ job_id }: { readonly job_id: string }): Promise<void> => {
    if (queue.isDown) throw outage('no queue');
    queue.sent.push(job_id);
  };
  const registry = modelRegistry('models');
  const tenants = tenantWriter('tenants');
  const world = await startOperations(
    operations,
    (environment: Environment) => ({
      ...storesIn(environment, { tenantsRead, tenantsWrite, modelsRead, modelsWrite, jobsWrite }),
      jobQueue: { send, sendAfterPropagation: send },
      vet: async (href: string) => ({ kind: 'accepted' as const, href }),
      endpointKey: async () => new Uint8Array(32),
    }),
    { now: Date.parse('2026-05-01T12:00:00Z') },
  );

  return {
    ...world,
    queue,
    registry,
    newTenant: async (members: Partial<Tenant> = {}): Promise<Tenant> => {
      const tenant = newTenant(members);
      const by = { claim: tenant.tenant_id, attempt: 1 };
      await commit([tenants.putTenant(tenant, { expectedRevision: null, by })]);
      return tenant;
    },
    /** Registers models of these states, in order of training. The active one serves. */
    register: async (
      tenant: Tenant,
      states: readonly Model['state'][],
      serving: Partial<ServingState> = {},
    ): Promise<string[]> => {
      const { revision } = await registry.current(tenant.tenant_id);
      const by = { claim: randomUUID(), attempt: 1 };
      const models = states.map((state, index) =>
        aModel(`mdl_${tenant.tag}${ulidAt(index)}`, state !== 'rejected', { state }),
      );
      const active = models.find(({ state }) => state === 'active')?.version ?? null;
      const next = { ...UNTRAINED, active, heuristic: active, ...serving };
      await commit([
        ...models.map((model) => registry.putModel(tenant.tenant_id, model, by)),
        registry.putServing(tenant.tenant_id, next, { expectedRevision: revision, by }),
      ]);
      return models.map(({ version }) => version);
    },
    servingOf: async ({ tenant_id }: Tenant) => (await registry.current(tenant_id)).serving,
    /** The newest first. */
    modelsOf: ({ tenant_id }: Tenant) => registry.models(tenant_id, { descending: true, limit: 100 }),
    tenantNow: async ({ tenant_id }: Tenant) => (await tenants.tenant(tenant_id))?.document ?? null,
    jobsOf: async ({ tenant_id }: Tenant) =>
      (await world.live.documents('jobs', tenant_id)).map((one) => Job.parse(one)),
  };
};
