import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { grantReader, grantWriter } from '../../../functions/identity/access/grants/grant.store.ts';
import type { AuthorizationCode } from '../../../functions/identity/access/grants/grant.ts';
import type { OAuthClient } from '../../../functions/identity/access/principals/client.ts';
import { newSecret } from '../../../functions/identity/access/principals/secret.ts';
import type { User } from '../../../functions/identity/access/principals/user.ts';
import { auditLog } from '../../../functions/identity/audit/audit.store.ts';
import { authorizationCodeGrant } from '../../../functions/identity/oauth/grants/authorizationCode.ts';
import type {
  PendingTokenResponse,
  TokenRequest,
} from '../../../functions/identity/oauth/grants/pendingTokenResponse.ts';
import { refreshTokenGrant } from '../../../functions/identity/oauth/grants/refreshToken.ts';
import { challengeOf } from '../../../functions/identity/oauth/pkce.ts';
import { readForm } from '../../../functions/identity/oauth/token/tokenRequest.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { dynamodb } from '../../../functions/platform/shared/aws/dynamodb.client.ts';
import { idOf } from '../../../functions/platform/shared/ids.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import { startTables } from '../../support/tables.ts';
import { errorOfAsync } from './oauthError.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const TAG = 'k3vcq2mc';
const REDIRECT_URI = 'https://app.example.com/callback';
const VERIFIER = 'a'.repeat(43);

const writer = grantWriter('grants');
const reader = grantReader('grants');

const live = await startTables();
afterAll(() => live.stop());

const newId = (prefix: 'cli' | 'grt' | 'usr') => idOf(prefix, TAG, ulidOf(NOW, randomBytes(10)));
const client: OAuthClient = {
  client_id: newId('cli'),
  tenant_id: 'acme',
  name: 'an application',
  scopes: ['read:attribution', 'admin:config'],
  residency: null,
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: 'none',
  secrets: null,
  created_by: 'key_1',
  created_at: '2026-01-01T00:00:00.000Z',
  deleted_at: null,
};
const user: User = {
  user_id: newId('usr'),
  tenant_id: 'acme',
  email: 'ada@example.org',
  role: 'admin',
  created_at: '2026-01-01T00:00:00.000Z',
  removed_at: null,
};

/** An authorization code issued at {@link NOW}. */
const storedCode = async (change: Partial<AuthorizationCode> = {}) => {
  const code = newSecret(randomBytes);
  const stored: AuthorizationCode = {
    grant: {
      grant_id: newId('grt'),
      client_id: client.client_id,
      tenant_id: 'acme',
      tenant_tag: TAG,
      user_id: user.user_id,
      email: user.email,
      scopes: ['read:attribution', 'admin:config'],
      signed_in_at: NOW,
      refresh: null,
      expires_at: NOW + 1_000_000,
      revoked_at: null,
    },
    redirect_uri: REDIRECT_URI,
    code_challenge: challengeOf(VERIFIER),
    expires_at: NOW + 60_000,
    used: false,
    ...change,
  };
  await commit([
    writer.putCode(code, stored, { expectedRevision: null, by: { claim: randomUUID(), attempt: 1 } }),
  ]);
  return { code, grantId: stored.grant.grant_id };
};

const requestOf = (form: Record<string, string>, at: number): TokenRequest => ({
  form: readForm(new URLSearchParams(form).toString()),
  client,
  call: { requestId: randomUUID(), receivedAt: at, origin: { sourceIp: null, traceId: null } },
  random: randomBytes,
  stores: {
    credentials: { user: async () => user },
    grantWriter: writer,
    audit: auditLog('audit'),
  },
});

const exchangeCode = (code: string, at = NOW): Promise<PendingTokenResponse> =>
  authorizationCodeGrant(requestOf({ code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER }, at));
const renew = (token: string | undefined, at = NOW): Promise<PendingTokenResponse> =>
  refreshTokenGrant(requestOf({ refresh_token: token ?? '' }, at));
/** The token content of a request after its commit. */
const committed = async (offered: Promise<PendingTokenResponse>): Promise<PendingTokenResponse> => {
  const offer = await offered;
  await offer.commit();
  return offer;
};
const isRevoked = async (grantId: string) => (await reader.grant(grantId))?.revoked_at !== null;

/** Makes the next transaction fail before it takes effect, or after it, with its response lost. */
const failNextCommit = (moment: 'before' | 'after'): void => {
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      if (context['commandName'] !== 'TransactWriteItemsCommand') return next(args);
      dynamodb.middlewareStack.remove('fault');
      if (moment === 'after') await next(args);
      throw new Error('the table does not answer');
    },
    { step: 'initialize', name: 'fault' },
  );
};
afterEach(() => {
  dynamodb.middlewareStack.remove('fault');
});

describe('an authorization code', () => {
  it('stays valid for a retry when its grant could not be written', async () => {
    const { code, grantId } = await storedCode();
    failNextCommit('before');

    await expect(committed(exchangeCode(code))).rejects.toThrow('does not answer');
    const retried = await committed(exchangeCode(code));

    expect(retried.content.user?.grantId).toBe(grantId);
    expect(await isRevoked(grantId)).toBe(false);
  });

  it('stays valid for a retry when signing failed', async () => {
    const { code, grantId } = await storedCode();

    // The signer fails after the response is prepared, so `commit` never runs.
    await exchangeCode(code);
    await committed(exchangeCode(code));

    expect(await isRevoked(grantId)).toBe(false);
  });

  it('gives no second grant when the response of its commit was lost: the retry revokes the first', async () => {
    const { code, grantId } = await storedCode();
    failNextCommit('after');

    await expect(committed(exchangeCode(code))).rejects.toThrow('does not answer');
    const retried = await errorOfAsync(() => committed(exchangeCode(code)));

    expect(retried).toBe('invalid_grant');
    expect(await isRevoked(grantId)).toBe(true);
  });

  it('is revoked by the next replay when a replay could not be recorded', async () => {
    const { code, grantId } = await storedCode();
    await committed(exchangeCode(code));
    failNextCommit('before');

    await expect(committed(exchangeCode(code))).rejects.toThrow('does not answer');
    const before = await isRevoked(grantId);
    const again = await errorOfAsync(() => committed(exchangeCode(code)));

    expect([before, again, await isRevoked(grantId)]).toEqual([false, 'invalid_grant', true]);
  });

  it('sent in two concurrent requests succeeds once, and the other request revokes the grant', async () => {
    const { code, grantId } = await storedCode();
    const [one, other] = await Promise.all([exchangeCode(code), exchangeCode(code)]);

    await one.commit();

    expect(await errorOfAsync(other.commit)).toBe('invalid_grant');
    expect(await isRevoked(grantId)).toBe(true);
  });

  it.each([
    [NOW + 59_999, undefined],
    [NOW + 60_000, 'invalid_grant'],
  ])('at %d results in %s', async (at, error) => {
    const { code } = await storedCode();

    expect(await errorOfAsync(() => committed(exchangeCode(code, at)))).toBe(error);
  });
});

describe('a refresh token', () => {
  const first = async () => {
    const { code, grantId } = await storedCode();
    return { grantId, token: (await committed(exchangeCode(code))).refreshToken };
  };

  it('stays valid for a retry when its replacement could not be written', async () => {
    const { grantId, token } = await first();
    failNextCommit('before');

    await expect(committed(renew(token))).rejects.toThrow('does not answer');
    const next = await committed(renew(token));

    expect(next.refreshToken).not.toBe(token);
    expect(await isRevoked(grantId)).toBe(false);
  });

  it('counts as used when the response of its commit was lost: the retry revokes the grant', async () => {
    const { grantId, token } = await first();
    failNextCommit('after');

    await expect(committed(renew(token))).rejects.toThrow('does not answer');

    expect(await errorOfAsync(() => committed(renew(token)))).toBe('invalid_grant');
    expect(await isRevoked(grantId)).toBe(true);
  });

  it('sent in two concurrent requests succeeds once, and the other request revokes the grant', async () => {
    const { grantId, token } = await first();
    const [one, other] = await Promise.all([renew(token), renew(token)]);

    await one.commit();

    expect(await errorOfAsync(other.commit)).toBe('invalid_grant');
    expect(await isRevoked(grantId)).toBe(true);
  });

  it('expires with its grant and does not extend it', async () => {
    const { grantId, token } = await first();

    const next = await committed(renew(token, NOW + 999_999));

    expect((await reader.grant(grantId))?.expires_at).toBe(NOW + 1_000_000);
    expect(await errorOfAsync(() => committed(renew(next.refreshToken, NOW + 1_000_000)))).toBe(
      'invalid_grant',
    );
  });

  it('keeps the time of the original sign-in', async () => {
    const { token } = await first();

    const { content } = await committed(renew(token, NOW + 999_999));

    expect(content.user?.signedInAt).toBe(NOW);
  });
});
