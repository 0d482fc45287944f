import { KeySchedule } from '../../../schemas/platform/keySchedule.ts';
import { credentialReader } from '../../identity/access/credential.store.ts';
import { grantWriter, sessionStore } from '../../identity/access/grant.store.ts';
import { tokenSigner } from '../../identity/access/signingKey.aws.ts';
import { auditLog } from '../../identity/audit/audit.store.ts';
import getDiscovery from '../../identity/oauth/getDiscovery.ts';
import getJwks from '../../identity/oauth/getJwks.ts';
import chooseTenant from '../../identity/oauth/session/chooseTenant.ts';
import getSession from '../../identity/oauth/session/getSession.ts';
import issueToken from '../../identity/oauth/token/issueToken.ts';
import revokeToken from '../../identity/oauth/token/revokeToken.ts';
import getRateLimit from '../../platform/limits/getRateLimit.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { tenantReader } from '../../platform/tenancy/tenant.store.ts';
import { unit } from '../wiring/httpHandler.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';

const pipeline = pipelineFromEnv();
const stores = {
  keys: pipeline.keys,
  limiter: pipeline.limiter,
  signer: tokenSigner(KeySchedule.parse(resource('key', 'signing')), systemClock),
  credentials: credentialReader(resource('table', 'access')),
  tenants: tenantReader(resource('table', 'tenants')),
  grantWriter: grantWriter(resource('table', 'grants')),
  sessions: sessionStore(resource('table', 'grants')),
  audit: auditLog(resource('table', 'audit')),
};

export const handler = unit(
  [
    issueToken(stores),
    revokeToken(stores),
    getDiscovery(stores),
    getJwks(stores),
    getRateLimit(stores),
    getSession(stores),
    chooseTenant(stores),
  ],
  pipeline,
);
