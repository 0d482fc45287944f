import { afterAll, describe, expect, it } from 'vitest';
import { challengeOf } from '../../../../functions/identity/oauth/pkce.ts';
import { deriveBinding } from '../../../../functions/identity/oauth/signIn/browserBinding.ts';
import { identityProvider } from '../../../../functions/identity/oauth/signIn/identityProvider.ts';
import { type ProviderFaults, startHostileProvider } from './hostileProvider.ts';

const CLIENT = 'the-service';
const CALLBACK = 'https://api.example.com/v1/oauth/callback';
const HOUR = 3_600_000;
const binding = deriveBinding('a secret of one browser');

let now = Date.now();

const connect = (change: { allowHttp?: boolean; issuer?: string; ahead?: number } = {}) =>
  identityProvider({
    issuer: change.issuer ?? hostile.issuer,
    clientId: CLIENT,
    callback: CALLBACK,
    allowHttp: change.allowHttp ?? true,
    clock: () => now,
    fromOutside: (instant) => instant + (change.ahead ?? 0),
  });

const hostile = await startHostileProvider(CLIENT);
afterAll(() => hostile.stop());

const answer = (change: Record<string, string> = {}): string =>
  new URLSearchParams({ state: binding.state, code: 'their-code', ...change }).toString();
const signedIn = (how: ProviderFaults = {}, query = answer(), provider = connect()) => {
  hostile.behave(binding.nonce, how);
  return provider.verifyCallback(binding, query);
};

describe('a valid response', () => {
  it('returns the e-mail address and the sign-in time', async () => {
    const before = Math.floor(Date.now() / 1_000) * 1_000;

    const person = await signedIn();

    expect(person).toEqual({ email: 'ada@example.org', signedInAt: expect.any(Number) });
    expect(Object(person).signedInAt).toBeGreaterThanOrEqual(before - 6_000);
  });

  it('is requested with the PKCE verifier and without a client secret', async () => {
    await signedIn();

    expect(Object.fromEntries(hostile.tokenRequests.at(-1) ?? [])).toEqual({
      grant_type: 'authorization_code',
      client_id: CLIENT,
      code: 'their-code',
      redirect_uri: CALLBACK,
      code_verifier: binding.codeVerifier,
    });
    const url = new URL(await connect().signInUrl(binding, { maxAge: null, requiresLogin: false }));
    expect(url.searchParams.get('code_challenge')).toBe(challengeOf(binding.codeVerifier));
  });

  it('has its sign-in time converted to the clock of the service', async () => {
    const auth_time = 1_750_000_000;

    const person = await signedIn({ claims: { auth_time } }, answer(), connect({ ahead: HOUR }));

    expect(person).toMatchObject({ signedInAt: auth_time * 1_000 + HOUR });
  });

  it('without auth_time returns a null sign-in time', async () => {
    expect(await signedIn({ claims: { auth_time: undefined } })).toMatchObject({ signedInAt: null });
  });

  it.each<[string, Record<string, unknown>]>([
    ['no address claim', { email: undefined }],
    ['an unverified address', { email_verified: false }],
    ['no email_verified claim', { email_verified: undefined }],
    ['email_verified as text', { email_verified: 'true' }],
    ['an invalid address', { email: 'ada' }],
    ['an address that exceeds the key size of the table', { email: `${'a'.repeat(3_000)}@example.org` }],
    ['two addresses', { email: ['ada@example.org', 'eve@example.org'] }],
  ])('with %s returns no e-mail address', async (_, claims) => {
    expect(await signedIn({ claims })).toMatchObject({ email: null });
  });
});

describe('verifyCallback throws for a response', () => {
  const now = Math.floor(Date.now() / 1_000);
  const unsigned = (token: string): string => {
    const [, payload] = token.split('.');
    return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
  };

  it.each<[string, ProviderFaults]>([
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for another audience', { claims: { aud: 'another-service' } }],
    ['for several audiences and another authorized party', { claims: { aud: [CLIENT, 'x'], azp: 'x' } }],
    ['with another nonce', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['that has expired', { claims: { exp: now - 3_600, iat: now - 7_200 } }],
    ['without an expiry', { claims: { exp: undefined } }],
    ['without an issue time', { claims: { iat: undefined } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with a sign-in time as text', { claims: { auth_time: 'today' } }],
    ['signed with an unpublished key', { foreignKey: true }],
    ['without a signature', { rewritten: unsigned }],
    ['with an empty signature', { rewritten: (token) => token.replace(/[^.]*$/, '') }],
    ['with claims changed after signing', { rewritten: (token) => token.replace(/\.[^.]*\./, '.e30.') }],
    ['without an ID token', { response: { id_token: undefined } }],
    ['with an invalid ID token', { response: { id_token: 'nothing' } }],
    ['with status 400 and an OAuth error', { status: 400, response: { error: 'invalid_grant' } }],
    ['with status 500', { status: 500 }],
  ])('%s', async (_, faults) => {
    await expect(signedIn(faults)).rejects.toThrow();
  });

  it.each([
    ['with the state of another sign-in', answer({ state: deriveBinding('another').state })],
    ['without a state', 'code=their-code'],
    ['with another issuer in the query', answer({ iss: 'https://evil.example' })],
    ['with two codes', `${answer()}&code=another`],
    ['without a code', `state=${binding.state}`],
  ])('%s, before the code is used', async (_, query) => {
    const { length } = hostile.tokenRequests;

    await expect(signedIn({}, query)).rejects.toThrow();
    expect(hostile.tokenRequests).toHaveLength(length);
  });

  it('that never arrives', async () => {
    await expect(signedIn({ silent: true })).rejects.toThrow(/timed out/);
  });
});

describe('the identity provider', () => {
  it.each([
    ['access_denied', 'access_denied'],
    ['server_error', 'server_error'],
    ['login_required', 'server_error'],
    ['unknown_error', 'server_error'],
  ])('with error %s returns %s with the description of the service', async (error, expected) => {
    const query = answer({ error, error_description: 'theirs' });

    expect(await signedIn({}, query)).toEqual({
      error: expected,
      description: expect.not.stringContaining('theirs'),
    });
  });

  it('is called over plain http only if that is allowed', async () => {
    hostile.behave('');

    await expect(
      connect({ allowHttp: false }).signInUrl(binding, { maxAge: null, requiresLogin: false }),
    ).rejects.toMatchObject({ cause: { message: expect.stringMatching(/HTTPS/) } });
  });

  it('is refused if its metadata has another issuer', async () => {
    hostile.behave('', { metadata: { issuer: 'https://evil.example' } });

    await expect(connect().signInUrl(binding, { maxAge: null, requiresLogin: false })).rejects.toThrow();
  });

  it('is discovered once per hour, and again after a failure', async () => {
    const provider = connect();
    const urlNow = (metadata: ProviderFaults['metadata']) => {
      hostile.behave('', metadata === undefined ? {} : { metadata });
      return provider.signInUrl(binding, { maxAge: null, requiresLogin: false });
    };
    const moved = { authorization_endpoint: `${hostile.issuer}/moved` };

    await expect(urlNow({ issuer: 'https://evil.example' })).rejects.toThrow();
    const first = await urlNow(undefined);
    now += HOUR - 1;
    const cached = await urlNow(moved);
    now += 1;
    const later = await urlNow(moved);

    expect([first, cached].map((url) => new URL(url).pathname)).toEqual(['/auth', '/auth']);
    expect(new URL(later).pathname).toBe('/moved');
  });
});
