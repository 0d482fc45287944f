import { modelList } from '../../attribution/training/models/registry.store.ts';
import { billReader } from '../../chargeback/reconciliation/bill.store.ts';
import getReconciliation from '../../chargeback/reconciliation/getReconciliation.ts';
import { billImportReader } from '../../chargeback/reconciliation/imports/billImport.store.ts';
import listBills from '../../chargeback/reconciliation/imports/listBills.ts';
import {
  billSourceReader,
  billSourceWriter,
} from '../../chargeback/reconciliation/sources/billSource.store.ts';
import createBillSource from '../../chargeback/reconciliation/sources/createBillSource.ts';
import { credentialSealer } from '../../chargeback/reconciliation/sources/credential.aws.ts';
import deleteBillSource from '../../chargeback/reconciliation/sources/deleteBillSource.ts';
import getBillSource from '../../chargeback/reconciliation/sources/getBillSource.ts';
import listBillSources from '../../chargeback/reconciliation/sources/listBillSources.ts';
import updateBillSource from '../../chargeback/reconciliation/sources/updateBillSource.ts';
import { auditLog } from '../../identity/audit/audit.store.ts';
import { coverageStore, expectationStore } from '../../insight/coverage/coverage.store.ts';
import getCoverage from '../../insight/coverage/getCoverage.ts';
import putCoverageExpectations from '../../insight/coverage/putCoverageExpectations.ts';
import { groupDirectory } from '../../ledger/rollups/groupDirectory.store.ts';
import { rollupReader } from '../../ledger/rollups/rollup.store.ts';
import { jobStore } from '../../platform/jobs/job.store.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { tenantReader } from '../../platform/tenancy/tenant.store.ts';
import { counterReader } from '../../tenants/diagnostics/counter.store.ts';
import getDiagnostics from '../../tenants/diagnostics/getDiagnostics.ts';
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
