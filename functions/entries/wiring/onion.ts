import { randomBytes } from 'node:crypto';
import { KeySchedule } from '../../../schemas/platform/keySchedule.ts';
import { credentialMode } from '../../access/apiKey.ts';
import { authenticatorOf } from '../../access/authenticator.ts';
import { credentialReader } from '../../access/credential.store.ts';
import { evenRefusals } from '../../access/evenRefusals.ts';
import { grantReader } from '../../access/grant.store.ts';
import { type KeySet, tokenSigner } from '../../access/signingKey.store.ts';
import { responseStore } from '../../idempotency/responses.store.ts';
import type { StoredResponses } from '../../idempotency/stored.ts';
import { bucketStore } from '../../limits/bucket.store.ts';
import { type Limiter, limiter } from '../../limits/limiter.ts';
import { type DerivedKey, derivedKey } from '../../shared/aws/derivedKey.store.ts';
import { stopwatch, systemClock } from '../../shared/clock.ts';
import { resource, settings } from '../../shared/settings.ts';
import { tenantReader } from '../../tenancy/tenant.store.ts';
import type { Onion } from './unit.ts';

/** The onion as this function's environment describes it, and the stores operations may share with it. */
export const onionOf = (): Onion & { readonly limiter: Limiter; readonly keys: KeySet } => {
  const keys = tokenSigner(KeySchedule.parse(resource('key', 'signing')), systemClock);
  return {
    keys,
    authenticator: evenRefusals(
      authenticatorOf({
        credentials: credentialReader(resource('table', 'access')),
        grants: grantReader(resource('table', 'grants')),
        tenants: tenantReader(resource('table', 'tenants')),
        keys,
        issuer: settings.BASE_URL,
        mode: credentialMode(settings.ENVIRONMENT),
        clock: systemClock,
      }),
      stopwatch,
    ),
    limiter: limiter(bucketStore(resource('table', 'limits')), {
      clock: systemClock,
      scale: settings.RATE_LIMIT_SCALE,
    }),
    clock: systemClock,
    baseUrl: settings.BASE_URL,
    publicContract: settings.PUBLIC_CONTRACT,
  };
};

/** Where a unit keeps the responses of its mutations. */
export const storedResponsesOf = (): StoredResponses => ({
  store: responseStore(resource('table', 'idempotency')),
  sealing: derivedKey(resource('key', 'sealing'), 'stored response 1'),
  random: randomBytes,
});

/** What authenticates the cursors of a unit's lists. */
export const cursorKeyOf = (): DerivedKey => derivedKey(resource('key', 'cursor'), 'cursor 1');
