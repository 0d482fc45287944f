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
import createReportSubscription from '../../insight/subscriptions/createReportSubscription.ts';
import deleteReportSubscription from '../../insight/subscriptions/deleteReportSubscription.ts';
import getReportSubscription from '../../insight/subscriptions/getReportSubscription.ts';
import listReportSubscriptions from '../../insight/subscriptions/listReportSubscriptions.ts';
import { accessList, accessRead, accessWrite, auditAppend, auditRead } from '../stores/identity.ts';
import { reportSubscriptionsRead, reportSubscriptionsWrite } from '../stores/insight.ts';
import { cursorDerive } from '../stores/keys.ts';
import { limitsUsage, outboxAppend } from '../stores/platform.ts';
import { userPoolInvite } from '../stores/userPool.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [
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
    createReportSubscription,
    listReportSubscriptions,
    getReportSubscription,
    deleteReportSubscription,
  ],
  stores: {
    accessList,
    accessRead,
    accessWrite,
    auditAppend,
    auditRead,
    cursorDerive,
    limitsUsage,
    outboxAppend,
    reportSubscriptionsRead,
    reportSubscriptionsWrite,
    userPoolInvite,
  },
});
