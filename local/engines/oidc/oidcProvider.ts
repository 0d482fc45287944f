import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import type { ClientDeclaration } from '../../template/userPools.ts';
import type { OidcKeys } from './oidcKeys.ts';
import { faultPage, PAGE_HEADERS } from './oidcPages.ts';
import { signInForm } from './oidcSignIn.ts';
import type { UserDirectory } from './oidcUsers.ts';

const INTERACTION = '/interaction/';

/** Lives in seconds; a session lasts as long as one at a user pool. */
const TTL_SECONDS = {
  AuthorizationCode: 60,
  AccessToken: 300,
  IdToken: 300,
  Interaction: 600,
  Session: 3_600,
  Grant: 3_600,
};

export interface OidcProviderOptions {
  issuer: string;
  clients: ClientDeclaration[];
  keys: OidcKeys;
  users: UserDirectory;
}

/** Answers one request to the end. */
export type OidcHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** An OpenID Connect provider that signs in with our form and offers what a user pool's client may ask for, no more. */
export function openOidcProvider({ issuer, clients, keys, users }: OidcProviderOptions): OidcHandler {
  const policy = interactionPolicy.base();
  // Its only client is the service itself, so there is nothing to consent to.
  policy.remove('consent');
  // Cookies know no ports: instances side by side must not take one another's for their own.
  const { port } = new URL(issuer);
  const configuration: Configuration = {
    adapter: createMemoryAdapter(),
    clients: clients.map(({ id, redirectUris, scopes }) => ({
      client_id: id,
      redirect_uris: redirectUris,
      scope: scopes.join(' '),
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      require_auth_time: true,
    })),
    jwks: { keys: [keys.tokens] },
    cookies: {
      keys: [keys.cookies],
      names: { session: `session-${port}`, interaction: `interaction-${port}`, resume: `resume-${port}` },
    },
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: ['openid', 'email'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    // As a user pool does: an ID token holds the claims its scopes stand for.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { policy, url: (_ctx, { uid }) => `${INTERACTION}${uid}` },
    clientBasedCORS: () => false,
    ttl: TTL_SECONDS,
    findAccount(_ctx, id) {
      const user = users.find(id);
      if (!user) return undefined;
      return { accountId: id, claims: () => ({ sub: id, email: user.email, email_verified: true }) };
    },
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    renderError(ctx, { error, error_description }) {
      ctx.set(PAGE_HEADERS);
      ctx.body = faultPage(error_description ?? error);
    },
  };
  const provider = new Provider(issuer, configuration);
  const showForm = signInForm(provider, users);
  const answer = provider.callback();
  return (request, response) =>
    request.url?.startsWith(INTERACTION) ? showForm(request, response) : answer(request, response);
}
