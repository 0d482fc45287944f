import { randomBytes } from 'node:crypto';
import { beginSession as route } from '../../../../schemas/routes/identity/session.ts';
import { operation } from '../../../platform/http/operation.ts';
import { createNew } from '../../../platform/shared/retry/optimisticUpdate.ts';
import { settings } from '../../../platform/shared/settings.ts';
import { newSecret } from '../../access/principals/secret.ts';
import { signedInSince } from '../signIn/authorizationRequest.ts';
import { deriveBinding, SIGN_IN_SECONDS, signInCookie } from '../signIn/browserBinding.ts';
import type { IdentityProvider } from '../signIn/identityProvider.ts';
import { redirect } from '../signIn/redirect.ts';
import { reportFailure } from '../signIn/reportFailure.ts';
import { failurePath, toReturnPath } from './returnPath.ts';
import { readSessionId } from './sessionCookie.ts';

/** Starts a sign-in to the console, also with a session: for a step-up, or as another person. */
export const beginSession = (provider: IdentityProvider) =>
  operation(route, async ({ query, cookies, receivedAt, requestId, origin, stores }) => {
    const maxAge = query.max_age === undefined ? null : Number(query.max_age);
    const freshness = { maxAge, requiresLogin: false };
    const secret = newSecret(randomBytes);
    const binding = deriveBinding(secret);
    const returnPath = toReturnPath(query.return_to);
    const signIn = {
      return_path: returnPath,
      replaced_session: readSessionId(cookies, settings.BASE_URL),
      signed_in_since: signedInSince(freshness, receivedAt),
      expires_at: receivedAt + SIGN_IN_SECONDS * 1_000,
    };
    try {
      const signInUrl = await provider.signInUrl(binding, freshness);
      await createNew(requestId, (options) => [stores.signIns.put(binding.state, signIn, options)]);
      return redirect(signInUrl, signInCookie(secret, settings.BASE_URL.startsWith('https:')));
    } catch (error) {
      const logContext = { operation: route.operation, traceId: origin.traceId };
      const { error: reason } = reportFailure(error, logContext);
      return redirect(failurePath(returnPath, reason));
    }
  });
