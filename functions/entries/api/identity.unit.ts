import { mappingReader, mappingWriter } from '../../attribution/mappings/mapping.store.ts';
import { auditLog } from '../../audit/audit.store.ts';
import createIdentityMapping from '../../identity/createIdentityMapping.ts';
import deleteIdentityMapping from '../../identity/deleteIdentityMapping.ts';
import dryRunIdentityMapping from '../../identity/dryRunIdentityMapping.ts';
import getIdentityMapping from '../../identity/getIdentityMapping.ts';
import listIdentityMappings from '../../identity/listIdentityMappings.ts';
import updateIdentityMapping from '../../identity/updateIdentityMapping.ts';
import { resource } from '../../shared/settings.ts';
import { unit } from '../wiring/httpHandler.ts';
import { archiveFromEnv, ledgerFromEnv } from '../wiring/ledgerFromEnv.ts';
import { cursorKeyFromEnv, pipelineFromEnv, storedResponsesFromEnv } from '../wiring/pipelineFromEnv.ts';

const audit = auditLog(resource('table', 'audit'));
const stores = {
  audit,
  mappings: mappingReader(resource('table', 'identity')),
  mappingWriter: mappingWriter(resource('table', 'identity')),
  ledger: ledgerFromEnv(archiveFromEnv()),
  cursorKey: cursorKeyFromEnv(),
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
  { ...pipelineFromEnv(), responses: storedResponsesFromEnv() },
);
