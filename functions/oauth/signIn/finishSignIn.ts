import { finishSignIn as route } from '../../../schemas/routes/signIn.ts';
import { operation } from '../../http/operation.ts';
import { ProblemError, unavailable } from '../../shared/problem.ts';
import { settings } from '../../shared/settings.ts';
import { isAuthorizationError } from './authorizationError.ts';
import { deriveBinding, expiredCookie, findSignInSecret } from './browserBinding.ts';
import type { IdentityProvider } from './identityProvider.ts';
import { issueAuthorizationCode } from './issueAuthorizationCode.ts';
import { readParameters } from './parameters.ts';
import { authorizationResponseUri, redirect } from './redirect.ts';
import { reportFailure } from './reportFailure.ts';

const isHttps = settings.BASE_URL.startsWith('https:');

const rejectUnknownSignIn = (): never => {
  throw new ProblemError(
    'INVALID_REQUEST',
    'No such sign-in is under way in this browser. Go back to where you came from and begin again.',
  );
};

/**
 * Ends a sign-in. It is taken before anything else is done with it, so that it ends once, whoever answers and however
 * often; from then on its client is told whatever happens.
 *
 *   cookie fits state ──► taken ──► answer checked ──► user found ──► code and audit entry ──► back to the client
 */
export const finishSignIn = (provider: IdentityProvider) =>
  operation(route, async ({ rawQuery, cookies, receivedAt, requestId, origin, stores }) => {
    const state = readParameters(rawQuery).get('state') ?? rejectUnknownSignIn();
    const secret = findSignInSecret(cookies, state, isHttps) ?? rejectUnknownSignIn();
    const consumed = await stores.signIns.take(state).catch((error: unknown) => {
      throw unavailable(error);
    });
    const signIn = consumed ?? rejectUnknownSignIn();
    if (signIn.expires_at <= receivedAt) rejectUnknownSignIn();

    const call = { requestId, receivedAt, origin };
    const where = { operation: route.operation, traceId: origin.traceId };
    const person = await provider
      .verifyCallback(deriveBinding(secret), rawQuery)
      .catch((error: unknown) => reportFailure('server_error', error, where));
    const answer = isAuthorizationError(person)
      ? person
      : await issueAuthorizationCode(signIn, person, call, stores).catch((error: unknown) =>
          reportFailure('temporarily_unavailable', error, where),
        );
    const address = { redirectUri: signIn.redirect_uri, state: signIn.state };
    return redirect(
      authorizationResponseUri(address, settings.BASE_URL, answer),
      expiredCookie(state, isHttps),
    );
  });
