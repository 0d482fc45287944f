import { randomBytes } from 'node:crypto';
import { authorize as route } from '../../../../schemas/routes/identity/signIn.ts';
import { operation } from '../../../platform/http/operation.ts';
import { tagInId } from '../../../platform/shared/ids.ts';
import { createNew } from '../../../platform/shared/retry/optimisticUpdate.ts';
import { settings } from '../../../platform/shared/settings.ts';
import { isClientId } from '../../access/principals/client.ts';
import { newSecret } from '../../access/principals/secret.ts';
import { isAuthorizationError } from './authorizationError.ts';
import { readAuthorizationRequest, requireRedirectTarget, signedInSince } from './authorizationRequest.ts';
import { deriveBinding, SIGN_IN_SECONDS, signInCookie } from './browserBinding.ts';
import type { IdentityProvider } from './identityProvider.ts';
import { readParameters } from './parameters.ts';
import { authorizationResponseUri, redirect } from './redirect.ts';
import { reportFailure } from './reportFailure.ts';

export const authorize = (provider: IdentityProvider) =>
  operation(route, async ({ rawQuery, receivedAt, requestId, origin, stores }) => {
    const parameters = readParameters(rawQuery);
    const clientId = parameters.get('client_id') ?? '';
    const registered = isClientId(clientId) ? await stores.credentials.client(clientId) : null;
    const { client, ...target } = requireRedirectTarget(parameters, registered);
    const request = readAuthorizationRequest(parameters, client);
    if (isAuthorizationError(request))
      return redirect(authorizationResponseUri(target, settings.BASE_URL, request));

    const secret = newSecret(randomBytes);
    const binding = deriveBinding(secret);
    const signIn = {
      client_id: client.client_id,
      tenant_id: client.tenant_id,
      tenant_tag: tagInId(client.client_id),
      redirect_uri: target.redirectUri,
      scopes: [...request.scopes],
      state: target.state,
      code_challenge: request.codeChallenge,
      signed_in_since: signedInSince(request, receivedAt),
      expires_at: receivedAt + SIGN_IN_SECONDS * 1_000,
    };
    try {
      const signInUrl = await provider.signInUrl(binding, request);
      await createNew(requestId, (options) => [stores.signIns.put(binding.state, signIn, options)]);
      return redirect(signInUrl, signInCookie(secret, settings.BASE_URL.startsWith('https:')));
    } catch (error) {
      const logContext = { operation: route.operation, traceId: origin.traceId };
      const failed = reportFailure(error, logContext);
      return redirect(authorizationResponseUri(target, settings.BASE_URL, failed));
    }
  });
