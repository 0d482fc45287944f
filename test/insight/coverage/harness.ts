import { randomUUID } from 'node:crypto';
import { modelRegistry } from '../../../functions/attribution/training/models/registry.store.ts';
import { billReader, billWriter } from '../../../functions/chargeback/reconciliation/bill.store.ts';
import getReconciliation from '../../../functions/chargeback/reconciliation/getReconciliation.ts';
import {
  billImportReader,
  billImportWriter,
} from '../../../functions/chargeback/reconciliation/imports/billImport.store.ts';
import listBills from '../../../functions/chargeback/reconciliation/imports/listBills.ts';
import postBills from '../../../functions/chargeback/reconciliation/postBills.ts';
import { billSourceReader } from '../../../functions/chargeback/reconciliation/sources/billSource.store.ts';
import { credentialLists } from '../../../functions/identity/access/credential.store.ts';
import { coverageStore, expectationStore } from '../../../functions/insight/coverage/coverage.store.ts';
import { discoveryWriter } from '../../../functions/insight/coverage/discovery.store.ts';
import getCoverage from '../../../functions/insight/coverage/getCoverage.ts';
import getCoverageExpectations from '../../../functions/insight/coverage/getCoverageExpectations.ts';
import { heartbeatStore } from '../../../functions/insight/coverage/heartbeat.store.ts';
import putCoverageExpectations from '../../../functions/insight/coverage/putCoverageExpectations.ts';
import postEvents from '../../../functions/insight/coverage/signals/postEvents.ts';
import { signalStore } from '../../../functions/insight/coverage/signals/signal.store.ts';
import { indexLag } from '../../../functions/ledger/freshness/indexLag.ts';
import { progressStore } from '../../../functions/ledger/freshness/progress.store.ts';
import { groupDirectory } from '../../../functions/ledger/rollups/groupDirectory.store.ts';
import { pendingMarkStore } from '../../../functions/ledger/rollups/marks/pendingMark.store.ts';
import { rollupWriter } from '../../../functions/ledger/rollups/rollupWriter.store.ts';
import { jobStore } from '../../../functions/platform/jobs/job.store.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import { tenantReader } from '../../../functions/platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { counterReader, counterStore } from '../../../functions/tenants/diagnostics/counter.store.ts';
import { hourlyCounters } from '../../../functions/tenants/diagnostics/counters.ts';
import getDiagnostics from '../../../functions/tenants/diagnostics/getDiagnostics.ts';
import type { Rollup } from '../../../schemas/ledger/rollup.ts';
import { startOperations } from '../../platform/http/startOperations.ts';

export const NOW = Date.parse('2026-05-01T12:00:00Z');

const storesOf = (clock: () => number) => ({
  accepted: { send: async () => undefined },
  reportProgress: async () => undefined,
  coverage: coverageStore('coverage'),
  expectations: expectationStore('coverage'),
  discovery: discoveryWriter('coverage'),
  signals: signalStore('signals'),
  credentialLists: credentialLists('access'),
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
  counters: hourlyCounters(counterStore('counters'), clock, randomUUID),
});

/** The stores with reading counters in the place of writing ones. */
const withReader = <Stores extends object>(stores: Stores) => ({
  ...stores,
  counters: counterReader('counters'),
});

const operations = {
  getCoverage: (stores: Omit<Parameters<typeof getCoverage>[0], 'counters'>) =>
    getCoverage(withReader(stores)),
  getCoverageExpectations,
  putCoverageExpectations,
  postEvents,
  listBills,
  postBills,
  getReconciliation,
  getDiagnostics: (stores: Omit<Parameters<typeof getDiagnostics>[0], 'counters'>) =>
    getDiagnostics(withReader(stores)),
};

/** The operations on coverage, signals, bills and diagnostics. */
export const startCoverageHarness = async () => {
  const world = await startOperations(operations, storesOf, { now: NOW });
  const rollups = rollupWriter('rollups');

  return {
    ...world,
    coverage: coverageStore('coverage'),
    heartbeats: heartbeatStore('coverage'),
    outbox: outbox('outbox'),
    counters: counterStore('counters'),
    counted: counterReader('counters'),
    jobs: jobStore('jobs'),
    models: modelRegistry('models'),
    putRollup: async ({ tenant_id }: Tenant, rollup: Rollup): Promise<void> => {
      const seen = await rollups.readRevision(tenant_id, rollup.grain, rollup.start);
      if (!(await rollups.put(tenant_id, rollup, seen))) throw new Error('the rollup was not put');
    },
  };
};
export type CoverageHarness = Awaited<ReturnType<typeof startCoverageHarness>>;
