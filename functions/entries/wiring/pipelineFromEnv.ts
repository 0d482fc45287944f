import { randomBytes } from 'node:crypto';
import { KeySchedule } from '../../../schemas/platform/keySchedule.ts';
import { credentialMode } from '../../access/apiKey.ts';
import { createAuthenticator } from '../../access/authenticator.ts';
import { constantTimeRejection } from '../../access/constantTimeRejection.ts';
import { credentialReader } from '../../access/credential.store.ts';
import { grantReader } from '../../access/grant.store.ts';
import { type KeySet, tokenSigner } from '../../access/signingKey.store.ts';
import { auditLog } from '../../audit/audit.store.ts';
import type { StoredResponses } from '../../idempotency/idempotentResponse.ts';
import { responseStore } from '../../idempotency/response.store.ts';
import { bucketStore } from '../../limits/bucket.store.ts';
import { failureLimiter } from '../../limits/failureLimiter.ts';
import { type Limiter, limiter } from '../../limits/limiter.ts';
import { type DerivedKey, derivedKey } from '../../shared/aws/derivedKey.store.ts';
import { resource, settings } from '../../shared/settings.ts';
import { stopwatch, systemClock } from '../../shared/time/clock.ts';
import { tenantReader } from '../../tenancy/tenant.store.ts';
import type { Pipeline } from './httpHandler.ts';

/**
 * The middleware pipeline of units that only serve documents, configured from the environment, with the stores that
 * operations may share.
 */
export const documentPipelineFromEnv = (): Pipeline & {
  readonly limiter: Limiter;
  readonly keys: KeySet;
} => {
  const keys = tokenSigner(KeySchedule.parse(resource('key', 'signing')), systemClock);
  return {
    keys,
    authenticator: constantTimeRejection(
      createAuthenticator({
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
    failures: failureLimiter({ clock: systemClock, scale: settings.RATE_LIMIT_SCALE }),
    limiter: limiter(bucketStore(resource('table', 'limits')), {
      clock: systemClock,
      scale: settings.RATE_LIMIT_SCALE,
    }),
    clock: systemClock,
    baseUrl: settings.BASE_URL,
    publicContract: settings.PUBLIC_CONTRACT,
  };
};

/** The middleware pipeline of all other units. It records refusals in the audit log. */
export const pipelineFromEnv = () => ({
  ...documentPipelineFromEnv(),
  audit: auditLog(resource('table', 'audit')),
});

/** The store and the encryption key of idempotent responses. */
export const storedResponsesFromEnv = (): StoredResponses => ({
  store: responseStore(resource('table', 'idempotency')),
  sealing: derivedKey(resource('key', 'sealing'), 'stored response 1'),
  random: randomBytes,
});

/** The key that authenticates pagination cursors. */
export const cursorKeyFromEnv = (): DerivedKey => derivedKey(resource('key', 'cursor'), 'cursor 1');
