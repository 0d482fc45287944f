import getDiscovery from '../../identity/oauth/getDiscovery.ts';
import getJwks from '../../identity/oauth/getJwks.ts';
import chooseTenant from '../../identity/oauth/session/chooseTenant.ts';
import getSession from '../../identity/oauth/session/getSession.ts';
import issueToken from '../../identity/oauth/token/issueToken.ts';
import revokeToken from '../../identity/oauth/token/revokeToken.ts';
import getRateLimit from '../../platform/limits/getRateLimit.ts';
import { accessRead, auditAppend, grantsWrite } from '../stores/identity.ts';
import { signingSign, signingVerify } from '../stores/keys.ts';
import { limitsRead, tenantsRead } from '../stores/platform.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [issueToken, revokeToken, getDiscovery, getJwks, getRateLimit, getSession, chooseTenant],
  stores: { accessRead, auditAppend, grantsWrite, limitsRead, signingSign, signingVerify, tenantsRead },
});
