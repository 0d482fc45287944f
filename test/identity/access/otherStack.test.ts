import { beforeEach, describe, expect, it } from 'vitest';
import { formatApiKey, parseApiKey } from '../../../functions/identity/access/principals/apiKey.ts';
import { issueAccessToken } from '../../../functions/identity/access/tokens/accessToken.ts';
import { reply } from '../../../functions/platform/http/reply.ts';
import { caller, NOW, serve, testRoute } from '../../platform/http/harness.ts';
import { apiKeyIssuer, clientIssuer } from '../oauth/issuedCredentials.ts';
import { stackAuthenticator, stackRows } from './stackFixture.ts';
import { newSigner } from './testSigner.ts';

// Both stacks use the same key id, so that only the key itself can distinguish their signatures.
const stacks = {
  production: {
    environment: 'production',
    issuer: 'https://api.example.com',
    signer: newSigner('one').signer,
  },
  sandbox: { environment: 'sandbox', issuer: 'https://sandbox.example.com', signer: newSigner('one').signer },
} as const;
type StackName = keyof typeof stacks;
const modes = { production: 'live', sandbox: 'test' } as const;

let issueKey: ReturnType<typeof apiKeyIssuer>;
let issueClient: ReturnType<typeof clientIssuer>;
/** Both stacks read the same rows, as after a restore of the other stack's tables. */
let rows: ReturnType<typeof stackRows>;

beforeEach(() => {
  rows = stackRows();
  rows.tenants.set(caller.tenant.tenant_id, caller.tenant);
  issueKey = apiKeyIssuer();
  issueClient = clientIssuer();
});

const authenticatorOf = (name: StackName) =>
  stackAuthenticator(rows, { ...stacks[name], keys: stacks[name].signer });
const present = async (name: StackName, headers: Record<string, string>) => {
  const route = testRoute({ access: 'caller' });
  const { status, body } = await serve(
    route,
    () => reply(200, {}),
    { headers },
    {
      authenticator: authenticatorOf(name),
      baseUrl: stacks[name].issuer,
    },
  );
  return { status, code: body['error_code'] };
};
const keyOf = (name: StackName): string => {
  const { secret, stored } = issueKey({}, modes[name]);
  rows.apiKeys.set(stored.key_id.slice(4), stored);
  return secret;
};
const tokenOf = (from: { readonly issuer: StackName; readonly signer: StackName }): Promise<string> => {
  const { stored } = issueClient();
  rows.clients.set(stored.client_id, stored);
  return issueAccessToken(
    { tenantId: caller.tenant.tenant_id, clientId: stored.client_id, scopes: ['ingest:write'] },
    { issuer: stacks[from.issuer].issuer, now: NOW, jti: 'id', signer: stacks[from.signer].signer },
  );
};

const refused = { status: 401, code: 'INVALID_CREDENTIALS' };

describe.each([
  { own: 'production', other: 'sandbox' },
  { own: 'sandbox', other: 'production' },
] as const)('the $own stack', ({ own, other }) => {
  it('accepts its own API key and its own token', async () => {
    const token = await tokenOf({ issuer: own, signer: own });

    expect(await present(own, { 'x-api-key': keyOf(own) })).toMatchObject({ status: 200 });
    expect(await present(own, { authorization: `Bearer ${token}` })).toMatchObject({ status: 200 });
  });

  it(`refuses an API key of the ${other} stack, also as a Bearer token, without a read`, async () => {
    const key = keyOf(other);

    expect(await present(own, { 'x-api-key': key })).toEqual(refused);
    expect(await present(own, { authorization: `Bearer ${key}` })).toEqual(refused);
    expect(rows.reads).toEqual([]);
  });

  it(`refuses an API key of the ${other} stack that was relabelled as its own`, async () => {
    const { keyId = '', secret = '' } = parseApiKey(keyOf(other)) ?? {};
    rows.apiKeys.clear();

    expect(await present(own, { 'x-api-key': formatApiKey(modes[own], keyId, secret) })).toEqual(refused);
  });

  it.each([
    ['its token', { issuer: other, signer: other }],
    ['a token with our issuer that it signed', { issuer: own, signer: other }],
    ['its token, even if both stacks signed with one key', { issuer: other, signer: own }],
  ])(`refuses from the ${other} stack %s, without a read`, async (_, from) => {
    const token = await tokenOf(from);

    expect(await present(own, { authorization: `Bearer ${token}` })).toEqual(refused);
    expect(rows.reads).toEqual([]);
  });
});
