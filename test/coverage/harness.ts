import { randomUUID } from 'node:crypto';
import { auditLog } from '../../functions/audit/audit.store.ts';
import { coverageStore, expectationStore } from '../../functions/coverage/coverage.store.ts';
import { discoveryWriter } from '../../functions/coverage/discovery.store.ts';
import getCoverage from '../../functions/coverage/getCoverage.ts';
import { heartbeatStore } from '../../functions/coverage/heartbeat.store.ts';
import putCoverageExpectations from '../../functions/coverage/putCoverageExpectations.ts';
import { counterReader, counterStore } from '../../functions/diagnostics/counter.store.ts';
import { hourlyCounters } from '../../functions/diagnostics/counters.ts';
import getDiagnostics from '../../functions/diagnostics/getDiagnostics.ts';
import { outbox } from '../../functions/events/outbox.store.ts';
import { indexLag } from '../../functions/freshness/indexLag.ts';
import { progressStore } from '../../functions/freshness/progress.store.ts';
import type { BoundOperation } from '../../functions/http/operation.ts';
import { jobStore } from '../../functions/jobs/job.store.ts';
import { modelRegistry } from '../../functions/models/registry.store.ts';
import { billReader, billWriter } from '../../functions/reconciliation/bill.store.ts';
import getReconciliation from '../../functions/reconciliation/getReconciliation.ts';
import {
  billImportReader,
  billImportWriter,
} from '../../functions/reconciliation/imports/billImport.store.ts';
import listBills from '../../functions/reconciliation/imports/listBills.ts';
import postBills from '../../functions/reconciliation/postBills.ts';
import { billSourceReader } from '../../functions/reconciliation/sources/billSource.store.ts';
import { groupDirectory } from '../../functions/rollups/groupDirectory.store.ts';
import { pendingMarkStore } from '../../functions/rollups/pendingMark.store.ts';
import { rollupWriter } from '../../functions/rollups/rollupWriter.store.ts';
import postEvents from '../../functions/signals/postEvents.ts';
import { signalStore } from '../../functions/signals/signal.store.ts';
import { tenantReader } from '../../functions/tenancy/tenant.store.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import { type Scope, scopeNames } from '../../schemas/access/scopes.ts';
import type { Rollup } from '../../schemas/rollup.ts';
import { callAsTenant, type TenantRequest } from '../http/callAsTenant.ts';
import type { TestResponse } from '../http/harness.ts';
import { startTables } from '../support/tables.ts';
import { newTenant } from '../support/tenants.ts';

export const NOW = Date.parse('2026-05-01T12:00:00Z');

const operationsOf = (clock: () => number) => {
  const stores = {
    accepted: { send: async () => undefined },
    reportProgress: async () => undefined,
    audit: auditLog('audit'),
    cursorKey: async () => new Uint8Array(32),
    outbox: outbox('outbox'),
    coverage: coverageStore('coverage'),
    expectations: expectationStore('coverage'),
    discovery: discoveryWriter('coverage'),
    signals: signalStore('signals'),
    bills: billReader('bills'),
    billWriter: billWriter('bills'),
    billSources: billSourceReader('billSources'),
    billImports: billImportReader('bills'),
    billImportWriter: billImportWriter('bills'),
    groups: groupDirectory('rollups'),
    rollups: rollupWriter('rollups'),
    indexLag: indexLag(
      { progress: progressStore('counters'), oldestPendingMark: pendingMarkStore('counters').oldest },
      clock,
    ),
    jobs: jobStore('jobs'),
    models: modelRegistry('models'),
    tenants: tenantReader('tenants'),
  };
  const counting = { ...stores, counters: hourlyCounters(counterStore('counters'), clock, randomUUID) };
  const reading = { ...stores, counters: counterReader('counters') };
  return {
    getCoverage: getCoverage(stores),
    putCoverageExpectations: putCoverageExpectations(stores),
    postEvents: postEvents(counting),
    listBills: listBills(stores),
    postBills: postBills(stores),
    getReconciliation: getReconciliation(stores),
    getDiagnostics: getDiagnostics(reading),
  } satisfies Record<string, BoundOperation>;
};
export type OperationName = keyof ReturnType<typeof operationsOf>;

/** The operations on coverage, signals, bills and diagnostics behind the full pipeline, on real tables, with a test clock. */
export const startCoverageHarness = async () => {
  const live = await startTables();
  const time = { now: NOW };
  const clock = () => time.now;
  const operations = operationsOf(clock);
  const rollups = rollupWriter('rollups');

  return {
    live,
    time,
    coverage: coverageStore('coverage'),
    heartbeats: heartbeatStore('coverage'),
    outbox: outbox('outbox'),
    counters: counterStore('counters'),
    counted: counterReader('counters'),
    jobs: jobStore('jobs'),
    models: modelRegistry('models'),
    newTenant,
    /** Calls an operation, as an administrator of the tenant unless scopes are given. */
    call: (
      name: OperationName,
      sent: TenantRequest,
      scopes: readonly Scope[] = scopeNames,
    ): Promise<TestResponse> => callAsTenant(operations[name], sent, { scopes, clock }),
    putRollup: async ({ tenant_id }: Tenant, rollup: Rollup): Promise<void> => {
      const seen = await rollups.readRevision(tenant_id, rollup.grain, rollup.start);
      if (!(await rollups.put(tenant_id, rollup, seen))) throw new Error('the rollup was not put');
    },
    auditOf: live.auditOf,
    eventsOf: live.eventsOf,
    everything: live.everything,
  };
};
export type CoverageHarness = Awaited<ReturnType<typeof startCoverageHarness>>;
