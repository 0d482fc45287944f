import disputeAttribution from '../../attribution/corrections/disputeAttribution.ts';
import overrideAttribution from '../../attribution/corrections/overrideAttribution.ts';
import { auditLog } from '../../identity/audit/audit.store.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { unit } from '../wiring/httpHandler.ts';
import { archiveFromEnv, recordVersionsFromEnv } from '../wiring/ledgerFromEnv.ts';
import { pipelineFromEnv, storedResponsesFromEnv } from '../wiring/pipelineFromEnv.ts';
import { rollupMarkerFromEnv } from '../wiring/rollupMarkerFromEnv.ts';

const audit = auditLog(resource('table', 'audit'));
const stores = {
  audit,
  corrections: recordVersionsFromEnv(archiveFromEnv()),
  mark: rollupMarkerFromEnv(),
  outbox: outbox(resource('table', 'outbox')),
};

export const handler = unit([overrideAttribution(stores), disputeAttribution(stores)], {
  ...pipelineFromEnv(),
  responses: storedResponsesFromEnv(),
});
