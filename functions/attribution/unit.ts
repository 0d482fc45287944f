import { cursorKeyOf, onionOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { systemClock } from '../shared/clock.ts';
import { resource } from '../shared/settings.ts';
import { claimReader } from './claim.store.ts';
import getAttribution from './getAttribution.ts';
import listAttribution from './listAttribution.ts';
import { traceReader } from './selection.store.ts';
import { ledgerReader } from './store.ts';

const stores = {
  ledger: ledgerReader(resource('table', 'ledger'), systemClock),
  claims: claimReader(resource('table', 'claims')),
  traces: traceReader(resource('table', 'traces')),
  cursorKey: cursorKeyOf(),
};

export const handler = unit([listAttribution(stores), getAttribution(stores)], onionOf());
