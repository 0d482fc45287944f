import { recordVersionStore } from '../../ledger/records/recordVersion.store.ts';
import { sampleDisputeOpener } from '../../tenants/sandbox/openSampleDisputes.ts';
import type { ResetActions } from '../../tenants/sandbox/resetStep.ts';
import { detectionRestarter, sampleTotals } from '../../tenants/sandbox/sampleTotals.ts';
import { environment } from '../stores/environment.ts';
import { auditAppend } from '../stores/identity.ts';
import { claimsRead, rollupsMark, rollupsRead } from '../stores/ledger.ts';
import { outboxAppend } from '../stores/platform.ts';
import { storesIn } from '../stores/provider.ts';

const { resourceOf, clock } = environment;
const { rollups, ...stores } = storesIn(environment, {
  auditAppend,
  claimsRead,
  outboxAppend,
  rollupsMark,
  rollupsRead,
});
const restartDetection = detectionRestarter(resourceOf('sandbox.restartDetection'));
const openDisputes = sampleDisputeOpener({
  ...stores,
  // The records of a data set are too new to be in the archive.
  corrections: recordVersionStore(resourceOf('ledger.correct'), clock),
});

export const isTotalled: ResetActions['isTotalled'] = sampleTotals(rollups);

export const review: ResetActions['review'] = async (tenant, reset) => {
  await restartDetection(tenant);
  await openDisputes(tenant, reset);
};
