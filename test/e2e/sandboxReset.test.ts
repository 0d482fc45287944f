import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import type { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import { pascalCase } from '../../lib/pascalCase.ts';
import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { type TableName, tableNames } from '../../schemas/platform/tables.ts';
import { AttributionPage } from '../../schemas/routes/attribution/attribution.ts';
import { Sandbox } from '../../schemas/tenants/sandbox.ts';
import { anAnomaly, seedAnomalies } from '../support/anomalies.ts';
import { seedBills } from '../support/bills.ts';
import { call, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { seedExports } from '../support/exports.ts';
import { deploymentOf } from '../support/localService.ts';
import { seedModels } from '../support/models.ts';
import { createResources, resourcePrefixes } from '../support/resources.ts';
import { rowText } from '../support/rowText.ts';
import { IDLE, sandboxesOf } from '../support/sandboxes.ts';
import { startAdminInstance } from './adminInstance.ts';

const HOUR_MS = 60 * 60 * 1_000;
/** A sandbox has no bill sources, and a reset keeps its webhooks. */
const KEPT_RESOURCES = ['endpoint', 'source'];
/** As many calls of the data set as this test loads, besides the disputed ones. */
const LOADED = 20;

const api = await startAdminInstance();
afterAll(() => api.stop());

interface Filled {
  readonly tenant: Tenant;
  readonly key: string;
}

/** Leaves rows of every kind that a reset deletes, and of some that it keeps. */
const fill = async ({ tenant, key }: Filled): Promise<void> => {
  const deployment = await deploymentOf(api.instance);
  const send = async (path: string, body: object): Promise<void> => {
    const answer = await call(api.instance.baseUrl, path, { key, body });
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  await createResources(api.instance.baseUrl, key);
  await send('/api/v1/budgets', { name: 'Before', ceiling_usd: '0.000001', period: 'month' });
  await send('/api/v1/invocations', someEvent({ trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) }));
  await send('/api/v1/api-keys', { name: 'reader', scopes: ['read:attribution'] });
  await send('/api/v1/events', {
    specversion: '1.0',
    id: randomUUID(),
    source: '/deployments',
    type: 'org.example.deployed',
    data: { name: 'search' },
  });
  await send('/api/v1/models', {});
  await seedBills(api.instance.baseUrl, key);
  await seedModels(deployment, tenant, 1);
  await seedExports(deployment, tenant, 1);
  await seedAnomalies(deployment, tenant, [anAnomaly(tenant.tag, HOUR_MS)]);
  await api.instance.runtime.idle({ delayed: true });
};

/** The engine returns the attributes of a row in any order. */

const rowsByTable = async (isOwned: (name: TableName, row: object) => boolean) => {
  const engines = enginesOf(api.instance.credentials);
  const rows = new Map<TableName, string[]>();
  for (const name of tableNames) {
    const owned = (await engines.rows(name)).filter((row) => isOwned(name, row));
    if (owned.length > 0) rows.set(name, owned.map(rowText).sort());
  }
  engines.close();
  return rows;
};

// About 10 s on a free machine.
it('deletes the data of the sandbox only, though it is killed in between, loads the data set and opens disputes', async () => {
  const deployment = await deploymentOf(api.instance);
  // Imported late, because the AWS clients read their endpoints at import.
  const { rowOwners } = await import('../../functions/ledger/erasure/rowOwner.ts');
  const { detectionFollowers } = await import('../../functions/insight/anomalies/anomalyDetector.ts');
  const { servedPeriods } = await import('../../functions/ledger/freshness/servedPeriods.store.ts');
  const { disputedCalls, sampleDisputes } = await import(
    '../../functions/tenants/sandbox/sample/disputes.ts'
  );
  const { openPeriodPartitionOf } = await import('../../functions/ledger/rollups/openPeriod.store.ts');
  const { directoryPartitionOf } = await import('../../functions/ledger/records/ledgerKey.ts');
  const { erasedTables } = await import('../../schemas/platform/needs/sandboxNeeds.ts');
  const { sandboxData } = await import('../../functions/tenants/sandbox/sandboxData.ts');
  const { sandboxRunner } = await import('../../functions/tenants/sandbox/runSandbox.ts');
  const { tenantReader } = await import('../../functions/platform/tenancy/tenant.store.ts');
  const terms = { name: 'A sandbox', plan: 'enterprise', residency: [] } as const;
  const tenant = await api.administration.open({ ...terms, tenantId: 'reset-own', sandbox: true });
  const sandboxes = sandboxesOf(deployment);
  await sandboxes.replace(tenant.tenant_id, IDLE);
  const own = { tenant, key: await api.administration.issueKey(tenant, 'admin') };
  const other = await api.newTenant('reset-own-not');
  await Promise.all([fill(own), fill(other)]);
  const ownedBy =
    ({ tenant: owner }: Filled) =>
    (name: TableName, row: object): boolean => {
      const { pk, sk, document }: { pk: { S: string }; sk?: { S: string }; document?: { S: string } } = {
        pk: { S: '' },
        ...row,
      };
      return rowOwners[name]?.({ pk: pk.S, sk: sk?.S, document: document?.S }, owner) === true;
    };
  const [ownBefore, otherBefore] = [await rowsByTable(ownedBy(own)), await rowsByTable(ownedBy(other))];
  const reset = { key: own.key, method: 'POST', body: { live_traffic: false } };
  expect((await api.send('/api/v1/sandbox/reset', reset)).status).toBe(202);

  const clock = { now: Date.now() };
  let deletions = 0;
  const sent: InvocationEvent[] = [];
  let ownAfter = new Map<TableName, string[]>();
  const data = sandboxData(tenant, {
    table: (name) => deployment.output(`Table${pascalCase(name)}`),
    bucket: (name) => deployment.output(`Bucket${pascalCase(name)}`),
  });
  const run = () =>
    sandboxRunner({
      sandboxes,
      tenants: tenantReader(deployment.output('TableTenants')),
      actions: {
        ...data,
        tables: data.tables.map((table) => ({
          ...table,
          erasePage: async (resume) => {
            deletions += 1;
            const page = await table.erasePage(resume);
            // The rows are deleted, and the progress is not saved.
            if (deletions === 4) throw new Error('killed');
            return page;
          },
        })),
        configure: async () => undefined,
        send: async (_, events) => {
          ownAfter = await rowsByTable(ownedBy(own));
          const disputed = disputedCalls(events).map(({ event }) => event);
          sent.push(...new Set([...events.slice(-LOADED), ...disputed]));
          const batch = { key: own.key, body: { events: sent } };
          expect((await api.send('/api/v1/invocations/batch', batch)).status).toBe(202);
        },
        // The worker of the instance does the rest.
        isTotalled: async () => false,
        review: async () => expect.unreachable(),
      },
      clock: () => clock.now,
      newClaim: randomUUID,
    })(tenant);
  await expect(run()).rejects.toThrow('killed');
  const stored = async () => (await sandboxes.find(tenant.tenant_id))?.document;
  for (let runs = 0; runs < 12 && (await stored())?.reset?.step.kind !== 'totals'; runs += 1) {
    clock.now += 4 * 60_000;
    await run();
  }
  const found = await sandboxes.find(tenant.tenant_id);
  if (!found?.document.reset) throw new Error('there is no reset');
  const { reset: loaded } = found.document;
  const until = new Date(Date.now() + 10 * 60_000).toISOString();
  const shorter = { ...loaded, sent_events: sent.length, step: { kind: 'totals', until } } as const;
  await sandboxes.replace(tenant.tenant_id, { ...found.document, reset: shorter });
  await api.instance.runtime.idle({ delayed: true });
  await expect
    .poll(async () => {
      await api.instance.runtime.runSchedule('WorkersSandbox');
      return Sandbox.parse((await api.send('/api/v1/sandbox', { key: own.key })).body).reset;
    })
    .toMatchObject({ status: 'succeeded', sent_events: sent.length });

  const filled = [...ownBefore.keys()].filter((name) => erasedTables.some((erased) => erased === name));
  expect(filled.toSorted()).toEqual(erasedTables.toSorted());
  const erased = filled.flatMap((name) => ownBefore.get(name) ?? []).join();
  for (const prefix of resourcePrefixes().filter((one) => !KEPT_RESOURCES.includes(one)))
    expect(erased, prefix).toContain(`"${prefix}#${tenant.tenant_id}`);
  // Warm workers have listed the present month, hour and day, and do not list them again.
  const kept = [directoryPartitionOf(tenant.tenant_id), openPeriodPartitionOf(tenant.tenant_id)];
  const remaining = [...ownAfter].filter(([name]) => erasedTables.some((erased) => erased === name));
  expect(remaining.map(([name]) => name).sort()).toEqual(['ledger', 'rollups']);
  for (const row of remaining.flatMap(([, rows]) => rows))
    expect(
      kept.some((partition) => row.includes(partition)),
      row,
    ).toBe(true);
  for (const name of ['access', 'tenants', 'audit'] as const)
    expect(ownAfter.get(name)?.length, name).toBeGreaterThanOrEqual(ownBefore.get(name)?.length ?? 1);
  const otherAfter = await rowsByTable(ownedBy(other));
  // Reads of the test charge the rate limit of the other tenant.
  for (const name of tableNames.filter((candidate) => candidate !== 'limits'))
    expect(otherAfter.get(name), name).toEqual(otherBefore.get(name));
  const records = AttributionPage.parse((await api.send('/v1/attribution', { key: own.key })).body).data;
  expect(records.map(({ event_id }) => event_id).sort()).toEqual(sent.map(({ event_id }) => event_id).sort());
  const disputes = AttributionPage.parse((await api.send('/v1/disputes', { key: own.key })).body).data;
  expect(disputes.map(({ dispute }) => [dispute?.status, dispute?.opened_by])).toEqual(
    sampleDisputes.map(() => ['open', loaded.reset_id]),
  );
  const served = servedPeriods(deployment.output('TableJobs'));
  expect(await served.read(tenant.tenant_id, detectionFollowers.hour.name)).toBeNull();
  expect((await served.read(tenant.tenant_id, detectionFollowers.day.name))?.document).toEqual({});
});
