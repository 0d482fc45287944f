import { auditLog } from '../../audit/audit.store.ts';
import disputeAttribution from '../../corrections/disputeAttribution.ts';
import overrideAttribution from '../../corrections/overrideAttribution.ts';
import { outbox } from '../../events/outbox.store.ts';
import { resource } from '../../shared/settings.ts';
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
