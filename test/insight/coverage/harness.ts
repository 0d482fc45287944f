import { modelRegistry } from '../../../functions/attribution/training/models/registry.store.ts';
import deleteBill from '../../../functions/chargeback/reconciliation/deleteBill.ts';
import getReconciliation from '../../../functions/chargeback/reconciliation/getReconciliation.ts';
import listBills from '../../../functions/chargeback/reconciliation/listBills.ts';
import postBills from '../../../functions/chargeback/reconciliation/postBills.ts';
import { pricesRead } from '../../../functions/entries/stores/artefacts.ts';
import { modelsList } from '../../../functions/entries/stores/attribution.ts';
import {
  billSourcesRead,
  billsRead,
  billsWrite,
} from '../../../functions/entries/stores/chargeback/bills.ts';
import { closingsRead, periodsRead } from '../../../functions/entries/stores/chargeback/periods.ts';
import { accessList } from '../../../functions/entries/stores/identity.ts';
import {
  coverageEvaluate,
  coverageRecordDiscovery,
  coverageWriteExpectations,
  signalsWrite,
} from '../../../functions/entries/stores/insight.ts';
import { rollupsGroups } from '../../../functions/entries/stores/ledger.ts';
import { jobsList, tenantsRead } from '../../../functions/entries/stores/platform.ts';
import { progressRead } from '../../../functions/entries/stores/progress.ts';
import { type Environment, storesIn } from '../../../functions/entries/stores/provider.ts';
import { countersAdd } from '../../../functions/entries/stores/tenants.ts';
import { coverageStore } from '../../../functions/insight/coverage/coverage.store.ts';
import getCoverage from '../../../functions/insight/coverage/getCoverage.ts';
import getCoverageExpectations from '../../../functions/insight/coverage/getCoverageExpectations.ts';
import { heartbeatStore } from '../../../functions/insight/coverage/heartbeat.store.ts';
import putCoverageExpectations from '../../../functions/insight/coverage/putCoverageExpectations.ts';
import postEvents from '../../../functions/insight/coverage/signals/postEvents.ts';
import { rollupWriter } from '../../../functions/ledger/rollups/rollupWriter.store.ts';
import { jobStore } from '../../../functions/platform/jobs/job.store.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { counterReader, counterStore } from '../../../functions/tenants/diagnostics/counter.store.ts';
import getDiagnostics from '../../../functions/tenants/diagnostics/getDiagnostics.ts';
import type { Rollup } from '../../../schemas/ledger/rollup.ts';
import { startOperations } from '../../platform/http/startOperations.ts';

export const NOW = Date.parse('2026-05-01T12:00:00Z');

const storesOf = (environment: Environment) => ({
  accepted: { send: async () => undefined },
  reportProgress: async () => undefined,
  ...storesIn(environment, {
    coverageEvaluate,
    coverageWriteExpectations,
    coverageRecordDiscovery,
    signalsWrite,
    accessList,
    billsRead,
    billsWrite,
    billSourcesRead,
    rollupsGroups,
    jobsList,
    modelsList,
    pricesRead,
    tenantsRead,
    countersAdd,
    progressRead,
    closingsRead,
    periodsRead,
  }),
  rollups: rollupWriter('rollups'),
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
  deleteBill,
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
