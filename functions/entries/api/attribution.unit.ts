import getAttribution from '../../attribution/getAttribution.ts';
import listAttribution from '../../attribution/listAttribution.ts';
import { claimReader } from '../../ledger/claim.store.ts';
import { ledgerReader } from '../../ledger/ledger.store.ts';
import { traceReader } from '../../ledger/query/selection.store.ts';
import { systemClock } from '../../shared/clock.ts';
import { resource } from '../../shared/settings.ts';
import { cursorKeyOf, onionOf } from '../wiring/onion.ts';
import { unit } from '../wiring/unit.ts';

const stores = {
  ledger: ledgerReader(resource('table', 'ledger'), systemClock),
  claims: claimReader(resource('table', 'claims')),
  traces: traceReader(resource('table', 'traces')),
  cursorKey: cursorKeyOf(),
};

export const handler = unit([listAttribution(stores), getAttribution(stores)], onionOf());
