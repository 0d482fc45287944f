import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../local/engines/browser.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import {
  bearing,
  type Client,
  completeSignIn,
  type Person,
  REDIRECT_URI,
  registerClient,
} from '../support/signIn.ts';

/** The local service uses plain http, which the libraries reject by default. */
const INSECURE = { [oauth.allowInsecureRequests]: true };
const STATE = 'opaque & “state”';

let instance: Instance;
let person: Person;
const clients: Record<string, Client> = {};

beforeAll(async () => {
  instance = await sharedInstance();
  const { acme: tenant } = demoTenants(instance.credentials);
  person = tenant.user;
  const grants = ['client_credentials', 'authorization_code', 'refresh_token'];
  for (const method of ['client_secret_basic', 'client_secret_post', 'none']) {
    const grant_types = method === 'none' ? grants.slice(1) : grants;
    clients[method] = await registerClient(instance, { token_endpoint_auth_method: method, grant_types });
  }
});
afterAll(() => instance?.stop());

const clientOf = (method: string): Client => clients[method] ?? { client_id: '', client_secret: null };
const statusOf = async (token: string | undefined) => (await bearing(instance.baseUrl, token)).status;

/** Uses only endpoints from the discovered metadata, as a real client does. */
describe.each([
  ['client_secret_basic', oauth.ClientSecretBasic],
  ['client_secret_post', oauth.ClientSecretPost],
  ['none', oauth.None],
] as const)('oauth4webapi client with %s', (method, authenticate) => {
  const discover = async () => {
    const issuer = new URL(instance.baseUrl);
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
    const server = await oauth.processDiscoveryResponse(issuer, response);
    const { client_id, client_secret } = clientOf(method);
    return { server, client: { client_id }, proof: authenticate(client_secret ?? '') };
  };

  it.skipIf(method === 'none')('gets a client credentials token and revokes it', async () => {
    const { server, client, proof } = await discover();

    const answer = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      proof,
      { scope: 'read:attribution' },
      INSECURE,
    );
    const tokens = await oauth.processClientCredentialsResponse(server, client, answer);
    const before = await statusOf(tokens.access_token);
    const revoked = await oauth.revocationRequest(server, client, proof, tokens.access_token, INSECURE);
    await oauth.processRevocationResponse(revoked);

    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 900, scope: 'read:attribution' });
    expect(tokens.refresh_token).toBeUndefined();
    expect([before, await statusOf(tokens.access_token)]).toEqual([200, 401]);
  });

  it('signs in a user, refreshes and revokes the tokens', async () => {
    const { server, client, proof } = await discover();
    const verifier = oauth.generateRandomCodeVerifier();
    const start = new URL(server.authorization_endpoint ?? '');
    start.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'read:attribution read:reporting',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: STATE,
    }).toString();

    const { url } = await completeSignIn(new Browser(), start, person);
    const callback = oauth.validateAuthResponse(server, client, url, STATE);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      proof,
      callback,
      REDIRECT_URI,
      verifier,
      INSECURE,
    );
    const first = await oauth.processAuthorizationCodeResponse(server, client, answer);
    const renewal = await oauth.refreshTokenGrantRequest(server, client, proof, first.refresh_token ?? '', {
      additionalParameters: { scope: 'read:attribution' },
      ...INSECURE,
    });
    const second = await oauth.processRefreshTokenResponse(server, client, renewal);
    const before = await Promise.all([first, second].map(({ access_token }) => statusOf(access_token)));
    const revoked = await oauth.revocationRequest(
      server,
      client,
      proof,
      second.refresh_token ?? '',
      INSECURE,
    );
    await oauth.processRevocationResponse(revoked);
    const after = await Promise.all([first, second].map(({ access_token }) => statusOf(access_token)));

    expect(first).toMatchObject({ token_type: 'bearer', expires_in: 900 });
    expect([first.scope, second.scope]).toEqual(['read:attribution read:reporting', 'read:attribution']);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect({ before, after }).toEqual({ before: [200, 200], after: [401, 401] });
  });
});

describe.each([
  ['client_secret_basic', oidc.ClientSecretBasic],
  ['client_secret_post', oidc.ClientSecretPost],
  ['none', oidc.None],
] as const)('openid-client client with %s', (method, authenticate) => {
  const discover = () => {
    const { client_id, client_secret } = clientOf(method);
    return oidc.discovery(
      new URL(instance.baseUrl),
      client_id,
      undefined,
      authenticate(client_secret ?? ''),
      { algorithm: 'oauth2', execute: [oidc.allowInsecureRequests] },
    );
  };

  it.skipIf(method === 'none')('gets a client credentials token and revokes it', async () => {
    const config = await discover();

    const tokens = await oidc.clientCredentialsGrant(config, { scope: 'read:attribution' });
    const before = await statusOf(tokens.access_token);
    await oidc.tokenRevocation(config, tokens.access_token, { token_type_hint: 'access_token' });

    expect(tokens.scope).toBe('read:attribution');
    expect([before, await statusOf(tokens.access_token)]).toEqual([200, 401]);
  });

  it('signs in a user, refreshes and revokes the tokens', async () => {
    const config = await discover();
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const start = oidc.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'read:attribution',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: STATE,
    });

    const { url } = await completeSignIn(new Browser(), start, person);
    const first = await oidc.authorizationCodeGrant(config, url, { pkceCodeVerifier, expectedState: STATE });
    const second = await oidc.refreshTokenGrant(config, first.refresh_token ?? '');
    const before = await statusOf(second.access_token);
    await oidc.tokenRevocation(config, second.refresh_token ?? '', { token_type_hint: 'refresh_token' });

    expect([before, await statusOf(second.access_token)]).toEqual([200, 401]);
    await expect(oidc.refreshTokenGrant(config, second.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('receives a standard error for an invalid scope', async () => {
    const config = await discover();
    const start = oidc.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'everything',
      code_challenge: await oidc.calculatePKCECodeChallenge(oidc.randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
      state: STATE,
    });

    const { url } = await completeSignIn(new Browser(), start, person);

    await expect(oidc.authorizationCodeGrant(config, url, { expectedState: STATE })).rejects.toMatchObject({
      error: 'invalid_scope',
      error_description: expect.stringContaining('scope'),
    });
  });
});

describe('GET /.well-known/oauth-authorization-server', () => {
  it('returns an issuer that matches every endpoint and token', async () => {
    const { client_id, client_secret } = clientOf('client_secret_post');
    const config = await oidc.discovery(
      new URL(instance.baseUrl),
      client_id,
      undefined,
      oidc.ClientSecretPost(client_secret ?? ''),
      { algorithm: 'oauth2', execute: [oidc.allowInsecureRequests] },
    );
    const server = config.serverMetadata();
    const endpoints = Object.entries(server).filter(([name]) => /_(endpoint|uri|documentation)$/.test(name));
    const { access_token } = await oidc.clientCredentialsGrant(config);
    const [, payload = ''] = access_token.split('.');

    expect(server.issuer).toBe(instance.baseUrl);
    expect(endpoints.map(([, url]) => new URL(String(url)).origin)).toEqual(
      endpoints.map(() => instance.baseUrl),
    );
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      iss: server.issuer,
      aud: server.issuer,
    });
  });

  it('returns the supported response types, grants and authentication methods', async () => {
    const answer = await fetch(`${instance.baseUrl}/.well-known/oauth-authorization-server`);

    expect(await answer.json()).toMatchObject({
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      authorization_response_iss_parameter_supported: true,
    });
    expect(answer.headers.get('content-type')).toContain('application/json');
  });
});
