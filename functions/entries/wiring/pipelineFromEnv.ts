import { randomBytes } from 'node:crypto';
import { KeySchedule } from '../../../schemas/platform/keySchedule.ts';
import { credentialMode } from '../../identity/access/apiKey.ts';
import { createAuthenticator } from '../../identity/access/authenticator.ts';
import { constantTimeRejection } from '../../identity/access/constantTimeRejection.ts';
import { credentialReader } from '../../identity/access/credential.store.ts';
import { grantReader } from '../../identity/access/grant.store.ts';
import { type KeySet, tokenSigner } from '../../identity/access/signingKey.aws.ts';
import { auditLog } from '../../identity/audit/audit.store.ts';
import type { StoredResponses } from '../../platform/idempotency/idempotentResponse.ts';
import { responseStore } from '../../platform/idempotency/response.store.ts';
import { bucketStore } from '../../platform/limits/bucket.store.ts';
import { failureLimiter } from '../../platform/limits/failureLimiter.ts';
import { type Limiter, limiter } from '../../platform/limits/limiter.ts';
import { type DerivedKey, derivedKey } from '../../platform/shared/aws/derivedKey.aws.ts';
import { resource, settings } from '../../platform/shared/settings.ts';
import { stopwatch, systemClock } from '../../platform/shared/time/clock.ts';
import { tenantReader } from '../../platform/tenancy/tenant.store.ts';
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
