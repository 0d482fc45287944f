import { correctionLedger } from '../attribution/correction.store.ts';
import { auditLog } from '../audit/store.ts';
import { outbox } from '../events/outbox.store.ts';
import { onionOf, storedResponsesOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { marker } from '../rollups/mark.ts';
import { rollupQueue } from '../rollups/queue.store.ts';
import { systemClock } from '../shared/clock.ts';
import { resource } from '../shared/settings.ts';
import disputeAttribution from './disputeAttribution.ts';
import overrideAttribution from './overrideAttribution.ts';

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
