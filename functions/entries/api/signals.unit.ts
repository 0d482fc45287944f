import postBills from '../../chargeback/reconciliation/postBills.ts';
import postEvents from '../../insight/coverage/signals/postEvents.ts';
import { billsWrite } from '../stores/chargeback/bills.ts';
import { accessList, auditAppend } from '../stores/identity.ts';
import { acceptedSend } from '../stores/ingest.ts';
import { coverageRecordDiscovery, signalsWrite } from '../stores/insight.ts';
import { outboxAppend } from '../stores/platform.ts';
import { progressReport } from '../stores/progress.ts';
import { countersAdd } from '../stores/tenants.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [postEvents, postBills],
  stores: {
    acceptedSend,
    accessList,
    auditAppend,
    billsWrite,
    countersAdd,
    coverageRecordDiscovery,
    outboxAppend,
    progressReport,
    signalsWrite,
  },
});
