import { onionOf } from '../http/onion.ts';
import { unit } from '../http/unit.ts';
import getRateLimit from '../limits/getRateLimit.ts';
import { resource } from '../shared/settings.ts';
import { tenantReader } from '../tenancy/store.ts';
import getDiscovery from './getDiscovery.ts';
import getJwks from './getJwks.ts';
import issueToken from './issueToken.ts';
import { tokenSigner } from './signingKey.store.ts';
import { credentialReader } from './store.ts';

const onion = onionOf();
const stores = {
  keys: onion.keys,
  limiter: onion.limiter,
  signer: tokenSigner(resource('key', 'signing')),
  credentials: credentialReader(resource('table', 'access')),
  tenants: tenantReader(resource('table', 'tenants')),
};

export const handler = unit(
  [issueToken(stores), getDiscovery(stores), getJwks(stores), getRateLimit(stores)],
  onion,
);
