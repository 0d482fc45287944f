import dryRunIdentityMapping from '../../attribution/engine/dryRunIdentityMapping.ts';
import createIdentityMapping from '../../attribution/mappings/createIdentityMapping.ts';
import deleteIdentityMapping from '../../attribution/mappings/deleteIdentityMapping.ts';
import getIdentityMapping from '../../attribution/mappings/getIdentityMapping.ts';
import listIdentityMappings from '../../attribution/mappings/listIdentityMappings.ts';
import { mappingReader, mappingWriter } from '../../attribution/mappings/mapping.store.ts';
import updateIdentityMapping from '../../attribution/mappings/updateIdentityMapping.ts';
import { auditLog } from '../../identity/audit/audit.store.ts';
import { resource } from '../../platform/shared/settings.ts';
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
