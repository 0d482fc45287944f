import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import type { ClientDeclaration } from '../../template/userPools.ts';
import type { OidcKeys } from './oidcKeys.ts';
import { faultPage, PAGE_HEADERS, signOutPage } from './oidcPages.ts';
import { signInForm } from './oidcSignIn.ts';
import type { UserDirectory } from './oidcUsers.ts';

const INTERACTION = '/interaction/';

/** Lifetimes in seconds. A session lasts as long as in a Cognito user pool. */
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

/** Answers one request. */
export type OidcHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** An OpenID Connect provider with our sign-in form. It supports only what a client of a user pool may request. */
export function openOidcProvider({ issuer, clients, keys, users }: OidcProviderOptions): OidcHandler {
  const policy = interactionPolicy.base();
  // The only client is the service itself, so no consent is needed.
  policy.remove('consent');
  // Browsers share cookies between ports of one host. The port in the name separates two local instances.
  const { port } = new URL(issuer);
  const configuration: Configuration = {
    adapter: createMemoryAdapter(),
    clients: clients.map(({ id, redirectUris, signOutUris, scopes }) => ({
      client_id: id,
      redirect_uris: redirectUris,
      post_logout_redirect_uris: signOutUris,
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
    // As in a Cognito user pool, the ID token contains the claims of its scopes.
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource(ctx, form) {
          ctx.set(PAGE_HEADERS);
          ctx.body = signOutPage(form);
        },
      },
    },
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
  const handle = provider.callback();
  return (request, response) =>
    request.url?.startsWith(INTERACTION) ? showForm(request, response) : handle(request, response);
}
