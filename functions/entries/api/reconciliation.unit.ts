import closePeriod from '../../chargeback/periods/closePeriod.ts';
import listPeriods from '../../chargeback/periods/listPeriods.ts';
import reopenPeriod from '../../chargeback/periods/reopenPeriod.ts';
import deleteBill from '../../chargeback/reconciliation/deleteBill.ts';
import getReconciliation from '../../chargeback/reconciliation/getReconciliation.ts';
import listBills from '../../chargeback/reconciliation/listBills.ts';
import createBillSource from '../../chargeback/reconciliation/sources/createBillSource.ts';
import deleteBillSource from '../../chargeback/reconciliation/sources/deleteBillSource.ts';
import getBillSource from '../../chargeback/reconciliation/sources/getBillSource.ts';
import listBillSources from '../../chargeback/reconciliation/sources/listBillSources.ts';
import updateBillSource from '../../chargeback/reconciliation/sources/updateBillSource.ts';
import getCoverage from '../../insight/coverage/getCoverage.ts';
import getCoverageExpectations from '../../insight/coverage/getCoverageExpectations.ts';
import putCoverageExpectations from '../../insight/coverage/putCoverageExpectations.ts';
import getDiagnostics from '../../tenants/diagnostics/getDiagnostics.ts';
import { pricesRead } from '../stores/artefacts.ts';
import { modelsList, nodeHoursRead } from '../stores/attribution.ts';
import {
  billCredentialEncrypt,
  billRoleName,
  billSourcesRead,
  billSourcesWrite,
  billsRead,
  billsWrite,
} from '../stores/chargeback/bills.ts';
import { periodsCopy } from '../stores/chargeback/periodCopies.ts';
import { closingsRead, closingsWrite, periodsRead } from '../stores/chargeback/periods.ts';
import { auditAppend } from '../stores/identity.ts';
import { coverageEvaluate, coverageWriteExpectations } from '../stores/insight.ts';
import { cursorDerive } from '../stores/keys.ts';
import { rollupsGroups, rollupsRead } from '../stores/ledger.ts';
import { jobsList, outboxAppend, resultsPage, tenantsRead } from '../stores/platform.ts';
import { progressRead, totalsComplete } from '../stores/progress.ts';
import { countersRead } from '../stores/tenants.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [
    getCoverage,
    getCoverageExpectations,
    putCoverageExpectations,
    getReconciliation,
    listBills,
    deleteBill,
    listPeriods,
    closePeriod,
    reopenPeriod,
    createBillSource,
    listBillSources,
    getBillSource,
    updateBillSource,
    deleteBillSource,
    getDiagnostics,
  ],
  stores: {
    auditAppend,
    billCredentialEncrypt,
    billRoleName,
    billSourcesRead,
    billSourcesWrite,
    billsRead,
    billsWrite,
    closingsRead,
    closingsWrite,
    countersRead,
    coverageEvaluate,
    coverageWriteExpectations,
    cursorDerive,
    jobsList,
    modelsList,
    nodeHoursRead,
    outboxAppend,
    periodsCopy,
    periodsRead,
    pricesRead,
    progressRead,
    resultsPage,
    rollupsGroups,
    rollupsRead,
    tenantsRead,
    totalsComplete,
  },
});
