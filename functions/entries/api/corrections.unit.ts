import { auditLog } from '../../audit/auditLog.store.ts';
import disputeAttribution from '../../corrections/disputeAttribution.ts';
import overrideAttribution from '../../corrections/overrideAttribution.ts';
import { outbox } from '../../events/outbox.store.ts';
import { correctionLedger } from '../../ledger/correction.store.ts';
import { marker } from '../../rollups/mark.ts';
import { rollupQueue } from '../../rollups/queue.store.ts';
import { systemClock } from '../../shared/clock.ts';
import { resource } from '../../shared/settings.ts';
import { onionOf, storedResponsesOf } from '../wiring/onion.ts';
import { unit } from '../wiring/unit.ts';

const audit = auditLog(resource('table', 'audit'));
const stores = {
  audit,
  corrections: correctionLedger(resource('table', 'ledger'), systemClock),
  mark: marker(rollupQueue(resource('queue', 'rollups')), systemClock),
  outbox: outbox(resource('table', 'outbox')),
};

export const handler = unit([overrideAttribution(stores), disputeAttribution(stores)], {
  ...onionOf(),
  audit,
  responses: storedResponsesOf(),
});
