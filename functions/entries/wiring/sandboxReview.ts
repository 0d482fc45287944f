import { auditLog } from '../../identity/audit/audit.store.ts';
import { anomalyDetectionStore } from '../../insight/anomalies/anomaly.store.ts';
import { dedupClaimReader } from '../../ledger/records/dedupClaim.store.ts';
import { recordVersionStore } from '../../ledger/records/recordVersion.store.ts';
import { rollupReader } from '../../ledger/rollups/rollup.store.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { sampleDisputeOpener } from '../../tenants/sandbox/openSampleDisputes.ts';
import type { ResetActions } from '../../tenants/sandbox/resetStep.ts';
import { detectionRestarter, sampleTotals } from '../../tenants/sandbox/sampleTotals.ts';
import { rollupMarkerFromEnv } from './rollupMarkerFromEnv.ts';

const restartDetection = detectionRestarter(anomalyDetectionStore(resource('table', 'anomalies')));
const openDisputes = sampleDisputeOpener({
  // The records of a data set are too new to be in the archive.
  corrections: recordVersionStore(resource('table', 'ledger'), systemClock),
  claims: dedupClaimReader(resource('table', 'claims')),
  mark: rollupMarkerFromEnv(),
  outbox: outbox(resource('table', 'outbox')),
  audit: auditLog(resource('table', 'audit')),
});

export const isTotalled: ResetActions['isTotalled'] = sampleTotals(
  rollupReader(resource('table', 'rollups')),
);

export const review: ResetActions['review'] = async (tenant, reset) => {
  await restartDetection(tenant, reset);
  await openDisputes(tenant, reset);
};
