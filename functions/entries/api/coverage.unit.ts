import { auditLog } from '../../audit/audit.store.ts';
import { coverageStore, expectationStore } from '../../coverage/coverage.store.ts';
import getCoverage from '../../coverage/getCoverage.ts';
import putCoverageExpectations from '../../coverage/putCoverageExpectations.ts';
import { counterReader } from '../../diagnostics/counter.store.ts';
import getDiagnostics from '../../diagnostics/getDiagnostics.ts';
import { outbox } from '../../events/outbox.store.ts';
import { jobStore } from '../../jobs/job.store.ts';
import { modelList } from '../../models/registry.store.ts';
import { billReader } from '../../reconciliation/bill.store.ts';
import getReconciliation from '../../reconciliation/getReconciliation.ts';
import { billImportReader } from '../../reconciliation/imports/billImport.store.ts';
import listBills from '../../reconciliation/imports/listBills.ts';
import { billSourceReader, billSourceWriter } from '../../reconciliation/sources/billSource.store.ts';
import createBillSource from '../../reconciliation/sources/createBillSource.ts';
import { credentialSealer } from '../../reconciliation/sources/credential.store.ts';
import deleteBillSource from '../../reconciliation/sources/deleteBillSource.ts';
import getBillSource from '../../reconciliation/sources/getBillSource.ts';
import listBillSources from '../../reconciliation/sources/listBillSources.ts';
import updateBillSource from '../../reconciliation/sources/updateBillSource.ts';
import { groupDirectory } from '../../rollups/groupDirectory.store.ts';
import { rollupReader } from '../../rollups/rollup.store.ts';
import { resource } from '../../shared/settings.ts';
import { tenantReader } from '../../tenancy/tenant.store.ts';
import { unit } from '../wiring/httpHandler.ts';
import { indexLagFromEnv } from '../wiring/indexLagFromEnv.ts';
import { cursorKeyFromEnv, pipelineFromEnv, storedResponsesFromEnv } from '../wiring/pipelineFromEnv.ts';

const audit = auditLog(resource('table', 'audit'));
const coverage = resource('table', 'coverage');
const stores = {
  audit,
  cursorKey: cursorKeyFromEnv(),
  outbox: outbox(resource('table', 'outbox')),
  coverage: coverageStore(coverage),
  expectations: expectationStore(coverage),
  groups: groupDirectory(resource('table', 'rollups')),
  rollups: rollupReader(resource('table', 'rollups')),
  indexLag: indexLagFromEnv(),
  bills: billReader(resource('table', 'bills')),
  billImports: billImportReader(resource('table', 'bills')),
  billSources: billSourceReader(resource('table', 'billSources')),
  billSourceWriter: billSourceWriter(resource('table', 'billSources')),
  importRoleArn: resource('billRole', 'importer'),
  sealCredential: credentialSealer(resource('key', 'billCredential')),
  counters: counterReader(resource('table', 'counters')),
  jobs: jobStore(resource('table', 'jobs')),
  models: modelList(resource('table', 'models')),
  tenants: tenantReader(resource('table', 'tenants')),
};

const operations = [
  getCoverage,
  putCoverageExpectations,
  getReconciliation,
  listBills,
  createBillSource,
  listBillSources,
  getBillSource,
  updateBillSource,
  deleteBillSource,
  getDiagnostics,
];

export const handler = unit(
  operations.map((operation) => operation(stores)),
  { ...pipelineFromEnv(), responses: storedResponsesFromEnv() },
);
