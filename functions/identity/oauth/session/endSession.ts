import { endSession as route } from '../../../../schemas/routes/identity/session.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { describeError, log } from '../../../platform/shared/log.ts';
import { settings } from '../../../platform/shared/settings.ts';
import { revokeGrant } from '../revokeGrant.ts';
import type { IdentityProvider } from '../signIn/identityProvider.ts';
import { SIGNED_OUT_PATH } from './returnPath.ts';
import { expiredSessionCookie, readSessionId } from './sessionCookie.ts';

/** Ends a session with its access tokens. Repeated, or without a session, it answers the same. */
export const endSession = (provider: IdentityProvider) =>
  operation(route, async ({ cookies, stores, ...call }) => {
    const id = readSessionId(cookies, settings.BASE_URL);
    const session = id === null ? null : await stores.sessions.takeSession(id);
    if (session?.grant_id != null) await revokeGrant(session.grant_id, 'token.revoke', call, stores);
    const signOutUrl = await provider
      .signOutUrl(`${settings.BASE_URL}${SIGNED_OUT_PATH}`)
      .catch((error: unknown) => {
        log({ level: 'warn', message: 'the identity provider did not answer', ...describeError(error) });
        return null;
      });
    return {
      ...reply(200, { sign_out_url: signOutUrl }),
      cookies: [expiredSessionCookie(settings.BASE_URL)],
    };
  });
