import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKey } from '../../functions/identity/access/principals/apiKey.ts';
import { formatApiKey, parseApiKey } from '../../functions/identity/access/principals/apiKey.ts';
import { issueApiKey } from '../../functions/identity/credentials/issueCredential.ts';
import { ulidOf } from '../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import { KeySchedule } from '../../schemas/platform/keySchedule.ts';
import { tenantAdministration } from '../../tools/operator/tenants.ts';
import { type Answer, call } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { deploymentOf } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import { tamper } from '../support/tamper.ts';
import { type ForgeryContext, forgedTokens, forgeToken } from './forgedTokens.ts';

const LIST = '/v1/attribution';

let instance: Instance;
let client: { client_id: string; client_secret: string };
let tenant: Tenant;
let forger: ForgeryContext;
let putApiKey: (key: ApiKey) => Promise<boolean>;

beforeAll(async () => {
  instance = await sharedInstance();
  const { baseUrl, credentials } = instance;
  const [demo] = credentials.tenants;
  const deployment = await deploymentOf(instance);
  const found = await (await tenantAdministration(deployment)).show(demo?.tenant_id ?? '');
  if (demo === undefined || found === null) throw new Error('the demo tenant is missing');
  [client, tenant] = [demo.oauth_client, found];
  // Imported late, because the AWS clients read their endpoints at import.
  const { credentialWriter } = await import('../../functions/identity/access/principals/credential.store.ts');
  const { tokenSigner } = await import('../../functions/identity/access/tokens/signingKey.aws.ts');
  const { commit } = await import('../../functions/platform/shared/aws/document.store.ts');
  const writer = credentialWriter(deployment.output('TableAccess'));
  putApiKey = (key) =>
    commit(writer.putApiKey(key, { expectedRevision: null, by: { claim: 'test', attempt: 1 } }));
  const signer = tokenSigner(KeySchedule.parse(deployment.output('KeySigning')), Date.now);
  const [jwk] = await signer.publicKeys();
  if (jwk === undefined) throw new Error('no signing key');
  forger = {
    jwk,
    issuer: baseUrl,
    tenantId: tenant.tenant_id,
    clientId: client.client_id,
    genuine: (await signer.signingKey()).sign,
    get now() {
      return Math.floor(Date.now() / 1_000);
    },
  };
});
afterAll(() => instance?.stop());

const bearing = (token: string, path = LIST, body?: unknown): Promise<Answer> =>
  call(instance.baseUrl, path, {
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body }),
  });

const withKey = (key: string): Promise<Answer> => call(instance.baseUrl, LIST, { key });

/** RFC 6750, section 3.1: a token was sent, and it is not valid. */
const INVALID_TOKEN = 'Bearer error="invalid_token", error_description="The access token is not valid"';

/** Expects the common 401 response, which does not reveal the cause. */
const expectRefused = ({ status, headers, body }: Answer, challenge: string): void => {
  const { trace_id, ...rest } = body;
  const page = `${instance.baseUrl}/errors/invalid-credentials`;
  expect(status).toBe(401);
  expect(trace_id).toMatch(/^[0-9a-f]{32}$/);
  expect(headers.get('x-amzn-remapped-www-authenticate')).toBe(challenge);
  expect(rest).toEqual({
    type: page,
    title: 'Invalid credentials',
    status: 401,
    detail: 'The credential is not valid.',
    instance: LIST,
    error_code: 'INVALID_CREDENTIALS',
    docs_url: page,
    reason: 'invalid_credential',
    www_authenticate: challenge,
  });
};

describe('access token', () => {
  it.each([
    ['with default claims', {}],
    ['with a lifetime of one hour', { exp: 3_600 }],
    ['that expired within the skew', { iat: -900, nbf: -900, exp: -30 }],
    ['that becomes valid within the skew', { iat: 30, nbf: 30, exp: 900 }],
  ])('%s is accepted', async (_, times) => {
    const shifted = Object.entries(times).map(([name, seconds]) => [name, forger.now + seconds]);
    const token = await forgeToken(forger, { claims: Object.fromEntries(shifted) });

    expect((await bearing(token)).status).toBe(200);
  });

  it.each(forgedTokens)('with %s is rejected', async (_, make) => {
    expectRefused(await bearing(await make(forger)), INVALID_TOKEN);
  });

  it('with an expiry 61 s ago is rejected, and the response tells the client to request a new one', async () => {
    const { now } = forger;
    const claims = { iat: now - 900, nbf: now - 900, exp: now - 61 };

    const { status, headers, body } = await bearing(await forgeToken(forger, { claims }));

    expect([status, body['error_code'], body['reason']]).toEqual([
      401,
      'INVALID_CREDENTIALS',
      'expired_token',
    ]);
    expect(headers.get('x-amzn-remapped-www-authenticate')).toBe(
      'Bearer error="invalid_token", error_description="The access token has expired"',
    );
  });

  it.each(['e30.e30.e30', '...', '..', 'a.b.c', 'null', `${'a'.repeat(8_000)}.b.c`])(
    'is rejected when it is %.12s',
    async (text) => {
      expectRefused(await bearing(text), INVALID_TOKEN);
    },
  );

  it('is rejected as an API key', async () => {
    expectRefused(await withKey(await forgeToken(forger)), 'Bearer');
  });
});

describe('API key', () => {
  const issueKey = (change: Partial<ApiKey> = {}, mode: 'live' | 'test' = 'test') => {
    const at = Date.now();
    const issued = issueApiKey(
      { tenant, ulid: ulidOf(at, randomBytes(10)), at, createdBy: 'operator', random: randomBytes },
      { name: 'test', scopes: ['read:attribution'], residency: null, expiresAt: at + 86_400_000 },
      mode,
    );
    return { secret: issued.secret, stored: { ...issued.stored, ...change } };
  };
  const storedKey = async (change: Partial<ApiKey> = {}, mode: 'live' | 'test' = 'test'): Promise<string> => {
    const key = issueKey(change, mode);
    await putApiKey(key.stored);
    return key.secret;
  };
  const PAST = '2020-01-01T00:00:00.000Z';
  /** A well-formed key with the id of another key and a wrong secret. */
  const guessFor = (key: string): string => {
    const { keyId = '' } = parseApiKey(key) ?? {};
    return formatApiKey('test', keyId, parseApiKey(issueKey().secret)?.secret ?? '');
  };

  it('is accepted in both headers', async () => {
    const key = await storedKey();

    expect((await withKey(key)).status).toBe(200);
    expect((await bearing(key)).status).toBe(200);
  });

  it.each<[string, () => Promise<string>]>([
    ['is malformed', async () => 'ask_test_nothing'],
    ['has a wrong checksum', async () => tamper(await storedKey())],
    ['is unknown', async () => issueKey().secret],
    ['has a wrong secret', async () => guessFor(await storedKey())],
    ['is revoked', () => storedKey({ revoked_at: PAST })],
    ['is of another environment', () => storedKey({}, 'live')],
    ['names another environment', async () => (await storedKey()).replace('test', 'live')],
    ['is of a tenant that is gone', () => storedKey({ tenant_id: 'gone' })],
    ['is expired, with a wrong secret', async () => guessFor(await storedKey({ expires_at: PAST }))],
  ])('that %s is rejected', async (_, make) => {
    const key = await make();

    expectRefused(await withKey(key), 'Bearer');
    expectRefused(await bearing(key), INVALID_TOKEN);
  });

  it.each([
    ['active', null],
    ['revoked', PAST],
  ])('that is %s and expired returns EXPIRED', async (_, revoked_at) => {
    const answer = await withKey(await storedKey({ revoked_at, expires_at: PAST }));

    expect(answer).toMatchObject({ status: 401, body: { error_code: 'EXPIRED' } });
    expect(answer.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
  });
});
