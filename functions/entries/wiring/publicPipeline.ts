import type { Authenticator } from '../../access/authenticator.ts';
import { systemClock } from '../../shared/clock.ts';
import { settings } from '../../shared/settings.ts';
import type { Pipeline } from './httpHandler.ts';

const rejectEveryone: Authenticator = async () => 'invalid';
const failOnUse = async (): Promise<never> => {
  throw new Error('a unit without callers has no limits');
};

/**
 * The onion of a unit whose routes are all public: it knows no caller, so it needs no right to anything that tells one.
 * A route that does ask for a credential is refused to everybody.
 */
export const publicPipeline = (): Pipeline => ({
  authenticator: rejectEveryone,
  limiter: { charge: failOnUse, peek: failOnUse },
  clock: systemClock,
  baseUrl: settings.BASE_URL,
  publicContract: settings.PUBLIC_CONTRACT,
});
