import { anomalyDetectionStore } from '../../anomalies/anomaly.store.ts';
import { auditLog } from '../../audit/audit.store.ts';
import { outbox } from '../../events/outbox.store.ts';
import { dedupClaimReader } from '../../ledger/dedupClaim.store.ts';
import { recordVersionStore } from '../../ledger/recordVersion.store.ts';
import { rollupReader } from '../../rollups/rollup.store.ts';
import { sampleDisputeOpener } from '../../sandbox/openSampleDisputes.ts';
import type { ResetActions } from '../../sandbox/resetStep.ts';
import { detectionRestarter, sampleTotals } from '../../sandbox/sampleTotals.ts';
import { resource } from '../../shared/settings.ts';
import { systemClock } from '../../shared/time/clock.ts';
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
