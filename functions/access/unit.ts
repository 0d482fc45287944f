import { KeySchedule } from '../../schemas/keySchedule.ts';
import { auditLog } from '../audit/store.ts';
import { onionOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import getRateLimit from '../limits/getRateLimit.ts';
import { systemClock } from '../shared/clock.ts';
import { resource } from '../shared/settings.ts';
import { tenantReader } from '../tenancy/store.ts';
import getDiscovery from './getDiscovery.ts';
import getJwks from './getJwks.ts';
import { grantWriter } from './grant.store.ts';
import issueToken from './issueToken.ts';
import revokeToken from './revokeToken.ts';
import { tokenSigner } from './signingKey.store.ts';
import { credentialReader } from './store.ts';

const onion = onionOf();
const stores = {
  keys: onion.keys,
  limiter: onion.limiter,
  signer: tokenSigner(KeySchedule.parse(resource('key', 'signing')), systemClock),
  credentials: credentialReader(resource('table', 'access')),
  tenants: tenantReader(resource('table', 'tenants')),
  grantWriter: grantWriter(resource('table', 'grants')),
  audit: auditLog(resource('table', 'audit')),
};

export const handler = unit(
  [issueToken(stores), revokeToken(stores), getDiscovery(stores), getJwks(stores), getRateLimit(stores)],
  onion,
);
