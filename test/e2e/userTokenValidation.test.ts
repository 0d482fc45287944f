import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { KeySchedule } from '../../schemas/platform/keySchedule.ts';
import { Browser } from '../local/engines/browser.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import { bearing, type Client, newCode, post, redeem, registerClient } from '../support/signIn.ts';
import { tamper } from '../support/tamper.ts';
import { usersOf } from '../support/users.ts';
import { type ForgeryContext, forgeToken } from './forgedTokens.ts';

const Claims = z.object({ sub: z.string(), grant_id: z.string(), auth_time: z.int() });
type Claims = z.infer<typeof Claims>;

let instance: Instance;
let client: Client;
let other: Client;
/** Signs with the key of the service, so that only the claims can invalidate a token. */
let forger: ForgeryContext;
let genuine: Claims;
let colleague: Claims;
let foreign: Claims;
let otherTenant: string;
const browser = new Browser();

const grantOf = async (by: Client, person = instance.credentials.tenants[0]?.user, tabs = browser) => {
  const code = await newCode(instance, by, person ?? { email: '', password: '' }, { browser: tabs });
  const { body } = await redeem(instance.baseUrl, by, code);
  const [, payload = ''] = String(body['access_token']).split('.');
  return { tokens: body, claims: Claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString())) };
};

beforeAll(async () => {
  instance = await sharedInstance();
  const { acme: own, globex: another } = demoTenants(instance.credentials);
  otherTenant = another.tenant_id;
  const users = await usersOf(instance);
  client = await registerClient(instance);
  other = await registerClient(instance);
  const user = await users.stranger();
  await users.employ(user, 'admin');
  genuine = (await grantOf(client)).claims;
  colleague = (await grantOf(client, user, new Browser())).claims;
  const globex = await registerClient(instance, {}, 1);
  foreign = (await grantOf(globex, instance.credentials.tenants[1]?.user, new Browser())).claims;
  // Imported late, because the AWS clients read their endpoints at import.
  const { tokenSigner } = await import('../../functions/identity/access/tokens/signingKey.aws.ts');
  const signer = tokenSigner(KeySchedule.parse(instance.credentials.outputs['KeySigning']), Date.now);
  const [jwk] = await signer.publicKeys();
  if (jwk === undefined) throw new Error('no signing key');
  forger = {
    jwk,
    issuer: instance.baseUrl,
    tenantId: own.tenant_id,
    clientId: client.client_id,
    genuine: (await signer.signingKey()).sign,
    get now() {
      return Math.floor(Date.now() / 1_000);
    },
  };
});
afterAll(() => instance?.stop());

const statusWith = async (claims: Record<string, unknown>) =>
  (await bearing(instance.baseUrl, await forgeToken(forger, { claims }))).status;

describe('access token of a user', () => {
  it('is accepted with its own grant and user', async () => {
    expect(await statusWith({ ...genuine })).toBe(200);
  });

  it.each<[string, () => Record<string, unknown>]>([
    ['no grant', () => ({ ...genuine, grant_id: undefined })],
    ['an empty grant', () => ({ ...genuine, grant_id: '' })],
    ['a grant that is not a string', () => ({ ...genuine, grant_id: [genuine.grant_id] })],
    ['an unknown grant', () => ({ ...genuine, grant_id: tamper(genuine.grant_id) })],
    ['the grant of another user', () => ({ ...genuine, grant_id: colleague.grant_id })],
    ['the subject of another user', () => ({ ...genuine, sub: colleague.sub })],
    ['the client id as subject', () => ({ ...genuine, sub: client.client_id })],
    ['the grant of another tenant', () => ({ ...genuine, grant_id: foreign.grant_id })],
    ['another tenant', () => ({ ...genuine, tenant_id: otherTenant })],
    ['another tenant, its grant and its user', () => ({ ...foreign, tenant_id: otherTenant })],
    ['another client of the tenant', () => ({ ...genuine, client_id: other.client_id })],
    ['an auth_time that is a string', () => ({ ...genuine, auth_time: 'now' })],
  ])('is rejected with %s', async (_, claims) => {
    expect(await statusWith(claims())).toBe(401);
  });

  it('is rejected after its grant is revoked, also with another jti', async () => {
    const { tokens, claims } = await grantOf(client);
    const before = await statusWith({ ...claims });
    await post(instance.baseUrl, 'revoke', client, { token: String(tokens['refresh_token']) });

    expect([
      before,
      await statusWith({ ...claims }),
      await statusWith({ ...claims, jti: 'another' }),
    ]).toEqual([200, 401, 401]);
  });

  it('has no scope beyond those of its client and user', async () => {
    const claims = { ...genuine, scope: 'ingest:write partner:connector webhooks:manage' };

    expect(await statusWith(claims)).toBe(403);
  });
});
