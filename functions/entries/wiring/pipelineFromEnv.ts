import {
  holdsOwnKey,
  type RouteShape,
  storesResponse,
  takesIdempotencyKey,
} from '../../../schemas/routes/route.ts';
import { createAuthenticator } from '../../identity/access/authenticator.ts';
import { constantTimeRejection } from '../../identity/access/constantTimeRejection.ts';
import { credentialMode } from '../../identity/access/principals/apiKey.ts';
import { sourceLimiter } from '../../platform/limits/sourceLimiter.ts';
import { settings } from '../../platform/shared/settings.ts';
import { stopwatch } from '../../platform/shared/time/clock.ts';
import { environment } from '../stores/environment.ts';
import { accessRead, auditAppend, grantsRead } from '../stores/identity.ts';
import { idempotencyStore, signingVerify } from '../stores/keys.ts';
import { idempotencyClaim, limitsCharge, tenantsRead } from '../stores/platform.ts';
import { storesIn } from '../stores/provider.ts';
import type { Pipeline } from './httpHandler.ts';

/** The middleware pipeline of units that only serve documents. */
export const documentPipelineFromEnv = (): Pipeline => {
  const { clock } = environment;
  const { limiter, ...stores } = storesIn(environment, {
    accessRead,
    grantsRead,
    tenantsRead,
    signingVerify,
    limitsCharge,
  });
  return {
    authenticator: constantTimeRejection(
      createAuthenticator({
        ...stores,
        issuer: settings.BASE_URL,
        mode: credentialMode(settings.ENVIRONMENT),
        clock,
      }),
      stopwatch,
    ),
    sources: sourceLimiter({ clock, scale: settings.RATE_LIMIT_SCALE }),
    limiter,
    clock,
    baseUrl: settings.BASE_URL,
    publicContract: settings.PUBLIC_CONTRACT,
    trustedProxies: settings.TRUSTED_PROXIES,
  };
};

/** The middleware pipeline of all other units. It records refusals in the audit log. */
export const pipelineFromEnv = (routes: readonly RouteShape[]): Pipeline => {
  const mutations = routes.filter((route) => takesIdempotencyKey(route) && !holdsOwnKey(route));
  return {
    ...documentPipelineFromEnv(),
    ...storesIn(environment, { auditAppend }),
    ...(mutations.some((route) => !storesResponse(route)) && storesIn(environment, { idempotencyClaim })),
    ...(mutations.some(storesResponse) && storesIn(environment, { idempotencyStore })),
  };
};
