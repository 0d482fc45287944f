import { cursorKeyOf, onionOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { systemClock } from '../shared/clock.ts';
import { resource } from '../shared/settings.ts';
import getAttribution from './getAttribution.ts';
import listAttribution from './listAttribution.ts';
import { ledgerReader } from './store.ts';

const stores = {
  ledger: ledgerReader(resource('table', 'ledger'), systemClock),
  cursorKey: cursorKeyOf(),
};

export const handler = unit([listAttribution(stores), getAttribution(stores)], onionOf());
