import { finishSignIn as route } from '../../../../schemas/routes/identity/signIn.ts';
import { operation } from '../../../platform/http/operation.ts';
import { invalidParameter } from '../../../platform/shared/problem.ts';
import { settings } from '../../../platform/shared/settings.ts';
import { completeSession } from '../session/completeSession.ts';
import { failurePath } from '../session/returnPath.ts';
import { readTenantId, sessionCookie, tenantCookie } from '../session/sessionCookie.ts';
import { type AuthorizationError, isAuthorizationError } from './authorizationError.ts';
import { deriveBinding, expiredCookie, findSignInSecret } from './browserBinding.ts';
import type { IdentityClaims } from './createGrant.ts';
import type { IdentityProvider } from './identityProvider.ts';
import { issueAuthorizationCode } from './issueAuthorizationCode.ts';
import { readParameters } from './parameters.ts';
import { authorizationResponseUri, redirect } from './redirect.ts';
import { reportFailure } from './reportFailure.ts';

const isHttps = settings.BASE_URL.startsWith('https:');

const rejectUnknownSignIn = (): never => {
  throw invalidParameter(
    'INVALID_REQUEST',
    'This browser has no such pending sign-in, or it has expired. Return to the application and sign in again.',
    'state',
  );
};

/**
 * Completes a sign-in to a client or to the console. The pending sign-in is deleted first, so that it completes at most
 * once. From then on, every outcome is returned by redirect.
 *
 *   cookie matches state ──► sign-in deleted ──► response verified ──► user read ──► code or session, audit entry ──► redirect
 */
export const finishSignIn = (provider: IdentityProvider) =>
  operation(route, async ({ rawQuery, cookies, receivedAt, requestId, origin, stores }) => {
    const state = readParameters(rawQuery).get('state') ?? rejectUnknownSignIn();
    const secret = findSignInSecret(cookies, state, isHttps) ?? rejectUnknownSignIn();
    const signIn = (await stores.signIns.take(state)) ?? rejectUnknownSignIn();
    if (signIn.expires_at <= receivedAt) rejectUnknownSignIn();

    const call = { requestId, receivedAt, origin };
    const logContext = { operation: route.operation, traceId: origin.traceId };
    const identity = await provider
      .verifyCallback(deriveBinding(secret), rawQuery)
      .catch((error: unknown) => reportFailure(error, logContext));
    const unlessFailed = <Response extends object>(
      complete: (person: IdentityClaims) => Promise<Response>,
    ): Promise<Response | AuthorizationError> | AuthorizationError =>
      isAuthorizationError(identity)
        ? identity
        : complete(identity).catch((error: unknown) => reportFailure(error, logContext));
    if ('return_path' in signIn) {
      const remembered = readTenantId(cookies, settings.BASE_URL);
      const session = await unlessFailed((person) =>
        completeSession(signIn, person, remembered, call, stores),
      );
      return isAuthorizationError(session)
        ? redirect(failurePath(signIn.return_path, session.error), expiredCookie(state, isHttps))
        : redirect(
            signIn.return_path,
            expiredCookie(state, isHttps),
            sessionCookie(settings.BASE_URL, session.secret),
            ...(session.tenantId === undefined ? [] : [tenantCookie(settings.BASE_URL, session.tenantId)]),
          );
    }
    const response = await unlessFailed((person) => issueAuthorizationCode(signIn, person, call, stores));
    const target = { redirectUri: signIn.redirect_uri, state: signIn.state };
    return redirect(
      authorizationResponseUri(target, settings.BASE_URL, response),
      expiredCookie(state, isHttps),
    );
  });
