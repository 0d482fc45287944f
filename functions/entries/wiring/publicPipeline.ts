import type { Authenticator } from '../../identity/access/authenticator.ts';
import { sourceLimiter } from '../../platform/limits/sourceLimiter.ts';
import { settings } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import type { Pipeline } from './httpHandler.ts';

const rejectEveryone: Authenticator = async () => 'invalid';
const failOnUse = async (): Promise<never> => {
  throw new Error('a unit with only public routes has no rate limits');
};

/**
 * The middleware pipeline of a unit with only public routes. It has no access to credential stores. If a route of the unit
 * requires a credential, every request to it is refused.
 */
export const publicPipeline = (): Pipeline => ({
  authenticator: rejectEveryone,
  sources: sourceLimiter({ clock: systemClock, scale: settings.RATE_LIMIT_SCALE }),
  limiter: { charge: failOnUse, peek: failOnUse },
  clock: systemClock,
  baseUrl: settings.BASE_URL,
  publicContract: settings.PUBLIC_CONTRACT,
  trustedProxies: settings.TRUSTED_PROXIES,
});
