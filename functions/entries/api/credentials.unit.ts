import { credentialLists, credentialReader, credentialWriter } from '../../access/credential.store.ts';
import { auditLog, auditReader } from '../../audit/audit.store.ts';
import listAuditLog from '../../audit/listAuditLog.ts';
import createApiKey from '../../credentials/createApiKey.ts';
import createOAuthClient from '../../credentials/createOAuthClient.ts';
import deleteOAuthClient from '../../credentials/deleteOAuthClient.ts';
import getApiKey from '../../credentials/getApiKey.ts';
import getOAuthClient from '../../credentials/getOAuthClient.ts';
import listApiKeys from '../../credentials/listApiKeys.ts';
import listOAuthClients from '../../credentials/listOAuthClients.ts';
import revokeApiKey from '../../credentials/revokeApiKey.ts';
import rotateApiKey from '../../credentials/rotateApiKey.ts';
import rotateOAuthClient from '../../credentials/rotateOAuthClient.ts';
import { outbox } from '../../events/outbox.store.ts';
import { lastUse } from '../../limits/lastUse.store.ts';
import { resource } from '../../shared/settings.ts';
import createUser from '../../users/createUser.ts';
import getCaller from '../../users/getCaller.ts';
import getUser from '../../users/getUser.ts';
import listUsers from '../../users/listUsers.ts';
import removeUser from '../../users/removeUser.ts';
import updateUser from '../../users/updateUser.ts';
import { userInvitations } from '../../users/userPool.store.ts';
import { unit } from '../wiring/httpHandler.ts';
import { cursorKeyFromEnv, pipelineFromEnv, storedResponsesFromEnv } from '../wiring/pipelineFromEnv.ts';

const access = resource('table', 'access');
const audit = auditLog(resource('table', 'audit'));
const stores = {
  audit,
  auditReader: auditReader(resource('table', 'audit')),
  credentials: credentialReader(access),
  credentialLists: credentialLists(access),
  credentialWriter: credentialWriter(access),
  invitations: userInvitations(resource('userPool', 'id')),
  lastUse: lastUse(resource('table', 'limits')),
  outbox: outbox(resource('table', 'outbox')),
  cursorKey: cursorKeyFromEnv(),
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
  getCaller,
  createUser,
  listUsers,
  getUser,
  updateUser,
  removeUser,
];

export const handler = unit(
  operations.map((operation) => operation(stores)),
  {
    ...pipelineFromEnv(),
    responses: storedResponsesFromEnv(),
  },
);
