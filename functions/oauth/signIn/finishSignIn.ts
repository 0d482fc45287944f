import { finishSignIn as route } from '../../../schemas/routes/signIn.ts';
import { operation } from '../../http/operation.ts';
import { ProblemError, unavailable } from '../../shared/problem.ts';
import { settings } from '../../shared/settings.ts';
import { endedCookie, secretOf, tiesOf } from './browser.ts';
import { codeFor } from './codeFor.ts';
import { failure } from './failure.ts';
import { isFault } from './fault.ts';
import type { IdentityProvider } from './identityProvider.ts';
import { readParameters } from './parameters.ts';
import { answerUri, redirect } from './redirect.ts';

const isHttps = settings.BASE_URL.startsWith('https:');

const notUnderWay = (): never => {
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
    const state = readParameters(rawQuery).get('state') ?? notUnderWay();
    const secret = secretOf(cookies, state, isHttps) ?? notUnderWay();
    const taken = await stores.signIns.take(state).catch((error: unknown) => {
      throw unavailable(error);
    });
    const signIn = taken ?? notUnderWay();
    if (signIn.expires_at <= receivedAt) notUnderWay();

    const call = { requestId, receivedAt, origin };
    const where = { operation: route.operation, traceId: origin.traceId };
    const person = await provider
      .signedIn(tiesOf(secret), rawQuery)
      .catch((error: unknown) => failure('server_error', error, where));
    const answer = isFault(person)
      ? person
      : await codeFor(signIn, person, call, stores).catch((error: unknown) =>
          failure('temporarily_unavailable', error, where),
        );
    const address = { redirectUri: signIn.redirect_uri, state: signIn.state };
    return redirect(answerUri(address, settings.BASE_URL, answer), endedCookie(state, isHttps));
  });
