import {
  credentialLists,
  credentialReader,
  credentialWriter,
} from '../../identity/access/credential.store.ts';
import { auditLog, auditReader } from '../../identity/audit/audit.store.ts';
import listAuditLog from '../../identity/audit/listAuditLog.ts';
import createApiKey from '../../identity/credentials/createApiKey.ts';
import createOAuthClient from '../../identity/credentials/createOAuthClient.ts';
import deleteOAuthClient from '../../identity/credentials/deleteOAuthClient.ts';
import getApiKey from '../../identity/credentials/getApiKey.ts';
import getOAuthClient from '../../identity/credentials/getOAuthClient.ts';
import listApiKeys from '../../identity/credentials/listApiKeys.ts';
import listOAuthClients from '../../identity/credentials/listOAuthClients.ts';
import revokeApiKey from '../../identity/credentials/revokeApiKey.ts';
import rotateApiKey from '../../identity/credentials/rotateApiKey.ts';
import rotateOAuthClient from '../../identity/credentials/rotateOAuthClient.ts';
import createUser from '../../identity/users/createUser.ts';
import getCaller from '../../identity/users/getCaller.ts';
import getUser from '../../identity/users/getUser.ts';
import listUsers from '../../identity/users/listUsers.ts';
import removeUser from '../../identity/users/removeUser.ts';
import updateUser from '../../identity/users/updateUser.ts';
import { userInvitations } from '../../identity/users/userPool.aws.ts';
import { lastUse } from '../../platform/limits/lastUse.store.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { resource } from '../../platform/shared/settings.ts';
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
