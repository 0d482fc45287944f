import { cursorKeyOf, onionOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { rollupReader } from '../rollups/rollup.store.ts';
import { resource } from '../shared/settings.ts';
import getAdoptionReport from './getAdoptionReport.ts';
import getUsageReport from './getUsageReport.ts';

const stores = {
  rollups: rollupReader(resource('table', 'rollups')),
  cursorKey: cursorKeyOf(),
};

export const handler = unit([getUsageReport(stores), getAdoptionReport(stores)], onionOf());
