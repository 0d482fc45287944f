import { KeySchedule } from '../../../schemas/platform/keySchedule.ts';
import { credentialReader } from '../../access/credential.store.ts';
import { grantWriter, sessionStore } from '../../access/grant.store.ts';
import { tokenSigner } from '../../access/signingKey.store.ts';
import { auditLog } from '../../audit/audit.store.ts';
import getRateLimit from '../../limits/getRateLimit.ts';
import getDiscovery from '../../oauth/getDiscovery.ts';
import getJwks from '../../oauth/getJwks.ts';
import chooseTenant from '../../oauth/session/chooseTenant.ts';
import getSession from '../../oauth/session/getSession.ts';
import issueToken from '../../oauth/token/issueToken.ts';
import revokeToken from '../../oauth/token/revokeToken.ts';
import { resource } from '../../shared/settings.ts';
import { systemClock } from '../../shared/time/clock.ts';
import { tenantReader } from '../../tenancy/tenant.store.ts';
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
