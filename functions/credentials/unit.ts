import { randomBytes } from 'node:crypto';
import { credentialLists, credentialReader, credentialWriter } from '../access/store.ts';
import listAuditLog from '../audit/listAuditLog.ts';
import { auditLog, auditReader } from '../audit/store.ts';
import { outbox } from '../events/outbox.store.ts';
import { onionOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import { responseStore } from '../idempotency/responses.store.ts';
import { lastUse } from '../limits/lastUse.store.ts';
import { derivedKey } from '../shared/derivedKey.store.ts';
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
  cursorKey: derivedKey(resource('key', 'cursor'), 'cursor 1'),
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
    responses: {
      store: responseStore(resource('table', 'idempotency')),
      sealing: derivedKey(resource('key', 'sealing'), 'stored response 1'),
      random: randomBytes,
    },
  },
);
