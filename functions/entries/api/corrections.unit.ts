import { auditLog } from '../../audit/audit.store.ts';
import disputeAttribution from '../../corrections/disputeAttribution.ts';
import overrideAttribution from '../../corrections/overrideAttribution.ts';
import { outbox } from '../../events/outbox.store.ts';
import { recordVersionStore } from '../../ledger/recordVersion.store.ts';
import { systemClock } from '../../shared/clock.ts';
import { resource } from '../../shared/settings.ts';
import { unit } from '../wiring/httpHandler.ts';
import { pipelineFromEnv, storedResponsesFromEnv } from '../wiring/pipelineFromEnv.ts';
import { rollupMarkerFromEnv } from '../wiring/rollupMarkerFromEnv.ts';

const audit = auditLog(resource('table', 'audit'));
const stores = {
  audit,
  corrections: recordVersionStore(resource('table', 'ledger'), systemClock),
  mark: rollupMarkerFromEnv(),
  outbox: outbox(resource('table', 'outbox')),
};

export const handler = unit([overrideAttribution(stores), disputeAttribution(stores)], {
  ...pipelineFromEnv(),
  audit,
  responses: storedResponsesFromEnv(),
});
