import { randomBytes } from 'node:crypto';
import { authorize as route } from '../../../schemas/routes/signIn.ts';
import { isClientId } from '../../access/client.ts';
import { newSecret } from '../../access/secret.ts';
import { operation } from '../../http/operation.ts';
import { makeNew } from '../../shared/change.ts';
import { tagInId } from '../../shared/ids.ts';
import { unavailable } from '../../shared/problem.ts';
import { settings } from '../../shared/settings.ts';
import { readAuthorizationRequest, returnAddressOf, signedInSince } from './authorizationRequest.ts';
import { SIGN_IN_SECONDS, signInCookie, tiesOf } from './browser.ts';
import { failure } from './failure.ts';
import { isFault } from './fault.ts';
import type { IdentityProvider } from './identityProvider.ts';
import { readParameters } from './parameters.ts';
import { answerUri, redirect } from './redirect.ts';

export const authorize = (provider: IdentityProvider) =>
  operation(route, async ({ rawQuery, receivedAt, requestId, origin, stores }) => {
    const parameters = readParameters(rawQuery);
    const clientId = parameters.get('client_id') ?? '';
    const found = isClientId(clientId)
      ? await stores.credentials.client(clientId).catch((error: unknown) => {
          throw unavailable(error);
        })
      : null;
    const { client, ...address } = returnAddressOf(parameters, found);
    const request = readAuthorizationRequest(parameters, client);
    if (isFault(request)) return redirect(answerUri(address, settings.BASE_URL, request));

    const secret = newSecret(randomBytes);
    const ties = tiesOf(secret);
    const signIn = {
      client_id: client.client_id,
      tenant_id: client.tenant_id,
      tenant_tag: tagInId(client.client_id),
      redirect_uri: address.redirectUri,
      scopes: [...request.scopes],
      state: address.state,
      code_challenge: request.codeChallenge,
      signed_in_since: signedInSince(request, receivedAt),
      expires_at: receivedAt + SIGN_IN_SECONDS * 1_000,
    };
    try {
      const signInUrl = await provider.signInUrl(ties, request);
      await makeNew(requestId, (options) => [stores.signIns.put(ties.state, signIn, options)]);
      return redirect(signInUrl, signInCookie(secret, settings.BASE_URL.startsWith('https:')));
    } catch (error) {
      const where = { operation: route.operation, traceId: origin.traceId };
      const failed = failure('temporarily_unavailable', error, where);
      return redirect(answerUri(address, settings.BASE_URL, failed));
    }
  });
