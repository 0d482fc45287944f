import { randomBytes, randomUUID } from 'node:crypto';
import { QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { vi } from 'vitest';
import { auditLog } from '../../functions/audit/audit.store.ts';
import { coverageStore, expectationStore } from '../../functions/coverage/coverage.store.ts';
import { discoveryWriter } from '../../functions/coverage/discovery.store.ts';
import { heartbeatStore } from '../../functions/coverage/heartbeat.store.ts';
import { counterReader, counterStore } from '../../functions/diagnostics/counter.store.ts';
import { hourlyCounters } from '../../functions/diagnostics/counters.ts';
import { outbox } from '../../functions/events/outbox.store.ts';
import type { BoundOperation } from '../../functions/http/operation.ts';
import { modelRegistry } from '../../functions/models/registry.store.ts';
import { billReader, billWriter } from '../../functions/reconciliation/bill.store.ts';
import { rollupWriter } from '../../functions/rollups/rollup.store.ts';
import { tenantTag } from '../../functions/shared/ids.ts';
import { signalStore } from '../../functions/signals/signal.store.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import { AuditEntry } from '../../schemas/access/audit.ts';
import { scopeNames } from '../../schemas/access/scopes.ts';
import { RaisedEvent } from '../../schemas/events.ts';
import type { Rollup } from '../../schemas/rollup.ts';
import { aTenant } from '../attribution/events.ts';
import { callAsTenant, type TenantRequest } from '../http/callAsTenant.ts';
import { BASE_URL, type TestResponse } from '../http/harness.ts';
import { startTables } from '../shared/tables.ts';

/** Environment variables that the stack sets. They are read once, when the operations are loaded. */
const ENVIRONMENT = { BASE_URL, ENVIRONMENT: 'local', PUBLIC_CONTRACT: 'true' };

export const NOW = Date.parse('2026-05-01T12:00:00Z');

const loadOperations = async (clock: () => number) => {
  for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
  const stores = {
    audit: auditLog('audit'),
    outbox: outbox('outbox'),
    coverage: coverageStore('coverage'),
    expectations: expectationStore('coverage'),
    discovery: discoveryWriter('coverage'),
    signals: signalStore('signals'),
    bills: billReader('bills'),
    billWriter: billWriter('bills'),
    rollups: rollupWriter('rollups'),
    jobs: await loadJobs(),
    models: modelRegistry('models'),
  };
  const counting = { ...stores, counters: hourlyCounters(counterStore('counters'), clock, randomUUID) };
  const reading = { ...stores, counters: counterReader('counters') };
  return {
    getCoverage: (await import('../../functions/coverage/getCoverage.ts')).default(stores),
    putCoverageExpectations: (await import('../../functions/coverage/putCoverageExpectations.ts')).default(
      stores,
    ),
    postEvents: (await import('../../functions/signals/postEvents.ts')).default(counting),
    postBills: (await import('../../functions/reconciliation/postBills.ts')).default(stores),
    getReconciliation: (await import('../../functions/reconciliation/getReconciliation.ts')).default(stores),
    getDiagnostics: (await import('../../functions/diagnostics/getDiagnostics.ts')).default(reading),
  } satisfies Record<string, BoundOperation>;
};
export type OperationName = keyof Awaited<ReturnType<typeof loadOperations>>;

const loadJobs = async () => (await import('../../functions/jobs/job.store.ts')).jobStore('jobs');

/** The operations on coverage, signals, bills and diagnostics behind the full pipeline, on real tables, with a test clock. */
export const startCoverageHarness = async () => {
  const live = await startTables();
  const time = { now: NOW };
  const clock = () => time.now;
  const operations = await loadOperations(clock);
  const rollups = rollupWriter('rollups');

  const documents = async (table: string, pk: string): Promise<unknown[]> => {
    const { Items = [] } = await live.client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: pk } },
        ConsistentRead: true,
      }),
    );
    return Items.map(({ document }) => JSON.parse(document?.S ?? ''));
  };

  return {
    live,
    time,
    coverage: coverageStore('coverage'),
    heartbeats: heartbeatStore('coverage'),
    outbox: outbox('outbox'),
    counters: counterStore('counters'),
    counted: counterReader('counters'),
    jobs: await loadJobs(),
    models: modelRegistry('models'),
    newTenant: (members: Partial<Tenant> = {}): Tenant => {
      const tenant_id = `tenant-${randomUUID()}`;
      return aTenant({ tenant_id, tag: tenantTag(tenant_id, randomBytes(32)), ...members });
    },
    /** Calls an operation as an administrator of the tenant. */
    call: (name: OperationName, sent: TenantRequest): Promise<TestResponse> =>
      callAsTenant(operations[name], sent, { scopes: scopeNames, clock }),
    putRollup: async ({ tenant_id }: Tenant, rollup: Rollup): Promise<void> => {
      const seen = await rollups.readRevision(tenant_id, rollup.grain, rollup.start);
      if (!(await rollups.put(tenant_id, rollup, seen))) throw new Error('the rollup was not put');
    },
    auditOf: async ({ tenant_id }: Tenant) =>
      (await documents('audit', `${tenant_id}#2026-05`)).map((one) => AuditEntry.parse(one)),
    eventsOf: async ({ tenant_id }: Tenant) =>
      (await documents('outbox', tenant_id)).map((one) => RaisedEvent.parse(one)),
    /** Every row of a table, as text. */
    everything: async (TableName: string): Promise<string> =>
      JSON.stringify((await live.client.send(new ScanCommand({ TableName }))).Items),
  };
};
export type CoverageHarness = Awaited<ReturnType<typeof startCoverageHarness>>;
