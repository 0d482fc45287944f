import { ledgerReader } from '../attribution/store.ts';
import { auditLog } from '../audit/store.ts';
import { cursorKeyOf, onionOf, storedResponsesOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { systemClock } from '../shared/clock.ts';
import { resource } from '../shared/settings.ts';
import createIdentityMapping from './createIdentityMapping.ts';
import deleteIdentityMapping from './deleteIdentityMapping.ts';
import dryRunIdentityMapping from './dryRunIdentityMapping.ts';
import getIdentityMapping from './getIdentityMapping.ts';
import listIdentityMappings from './listIdentityMappings.ts';
import { mappingReader, mappingWriter } from './store.ts';
import updateIdentityMapping from './updateIdentityMapping.ts';

const audit = auditLog(resource('table', 'audit'));
const stores = {
  audit,
  mappings: mappingReader(resource('table', 'identity')),
  mappingWriter: mappingWriter(resource('table', 'identity')),
  ledger: ledgerReader(resource('table', 'ledger'), systemClock),
  cursorKey: cursorKeyOf(),
};

const operations = [
  createIdentityMapping,
  listIdentityMappings,
  getIdentityMapping,
  updateIdentityMapping,
  deleteIdentityMapping,
  dryRunIdentityMapping,
];

export const handler = unit(
  operations.map((operation) => operation(stores)),
  { ...onionOf(), audit, responses: storedResponsesOf() },
);
