import { credentialLists, credentialReader, credentialWriter } from '../access/store.ts';
import listAuditLog from '../audit/listAuditLog.ts';
import { auditLog, auditReader } from '../audit/store.ts';
import { outbox } from '../events/outbox.store.ts';
import { cursorKeyOf, onionOf, storedResponsesOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { lastUse } from '../limits/lastUse.store.ts';
import { resource } from '../shared/settings.ts';
import createApiKey from './createApiKey.ts';
import createOAuthClient from './createOAuthClient.ts';
import deleteOAuthClient from './deleteOAuthClient.ts';
import getApiKey from './getApiKey.ts';
import getOAuthClient from './getOAuthClient.ts';
import listApiKeys from './listApiKeys.ts';
import listOAuthClients from './listOAuthClients.ts';
import revokeApiKey from './revokeApiKey.ts';
import rotateApiKey from './rotateApiKey.ts';
import rotateOAuthClient from './rotateOAuthClient.ts';

const access = resource('table', 'access');
const audit = auditLog(resource('table', 'audit'));
const stores = {
  audit,
  auditReader: auditReader(resource('table', 'audit')),
  credentials: credentialReader(access),
  credentialLists: credentialLists(access),
  credentialWriter: credentialWriter(access),
  lastUse: lastUse(resource('table', 'limits')),
  outbox: outbox(resource('table', 'outbox')),
  cursorKey: cursorKeyOf(),
};

const operations = [
  createApiKey,
  listApiKeys,
  getApiKey,
  rotateApiKey,
  revokeApiKey,
  createOAuthClient,
  listOAuthClients,
  getOAuthClient,
  rotateOAuthClient,
  deleteOAuthClient,
  listAuditLog,
];

export const handler = unit(
  operations.map((operation) => operation(stores)),
  {
    ...onionOf(),
    audit,
    responses: storedResponsesOf(),
  },
);
