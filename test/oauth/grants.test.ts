import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OAuthClient } from '../../functions/access/client.ts';
import { grantReader, grantWriter } from '../../functions/access/grant.store.ts';
import type { AuthorizationCode } from '../../functions/access/grant.ts';
import { newSecret } from '../../functions/access/secret.ts';
import type { User } from '../../functions/access/user.ts';
import { auditLog } from '../../functions/audit/audit.store.ts';
import { authorizationCodeGrant } from '../../functions/oauth/grants/authorizationCode.ts';
import type {
  PendingTokenResponse,
  TokenRequest,
} from '../../functions/oauth/grants/pendingTokenResponse.ts';
import { refreshTokenGrant } from '../../functions/oauth/grants/refreshToken.ts';
import { challengeOf } from '../../functions/oauth/pkce.ts';
import { readForm } from '../../functions/oauth/token/tokenRequest.ts';
import { commit } from '../../functions/shared/aws/document.store.ts';
import { dynamodb } from '../../functions/shared/aws/dynamodb.client.ts';
import { idOf } from '../../functions/shared/ids.ts';
import { ulidOf } from '../../functions/shared/ulid.ts';
import { type LiveTables, startTables } from '../shared/tables.ts';
import { errorOfAsync } from './oauthError.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const TAG = 'k3vcq2mc';
const REDIRECT_URI = 'https://app.example.com/callback';
const VERIFIER = 'a'.repeat(43);

let live: LiveTables;
const writer = grantWriter('grants');
const reader = grantReader('grants');

beforeAll(async () => {
  live = await startTables();
});
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

/** A code that a sign-in gave at {@link NOW}. */
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
/** What a whole request gets, once everything is written. */
const committed = async (offered: Promise<PendingTokenResponse>): Promise<PendingTokenResponse> => {
  const offer = await offered;
  await offer.commit();
  return offer;
};
const isRevoked = async (grantId: string) => (await reader.grant(grantId))?.revoked_at !== null;

/** Lets the next transaction fail: before it takes effect, or after, so that it is never acknowledged. */
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

describe('a code', () => {
  it('whose grant could not be written is good for the retry', async () => {
    const { code, grantId } = await storedCode();
    failNextCommit('before');

    await expect(committed(exchangeCode(code))).rejects.toThrow('does not answer');
    const retried = await committed(exchangeCode(code));

    expect(retried.content.user?.grantId).toBe(grantId);
    expect(await isRevoked(grantId)).toBe(false);
  });

  it('whose token could not be signed is good for the retry', async () => {
    const { code, grantId } = await storedCode();

    // The signer fails between the offer and its settlement, which then never comes.
    await exchangeCode(code);
    await committed(exchangeCode(code));

    expect(await isRevoked(grantId)).toBe(false);
  });

  it('whose grant was written unacknowledged gives no second one: the retry ends the first', async () => {
    const { code, grantId } = await storedCode();
    failNextCommit('after');

    await expect(committed(exchangeCode(code))).rejects.toThrow('does not answer');
    const retried = await errorOfAsync(() => committed(exchangeCode(code)));

    expect(retried).toBe('invalid_grant');
    expect(await isRevoked(grantId)).toBe(true);
  });

  it('whose replay could not be recorded is revoked by the next replay', async () => {
    const { code, grantId } = await storedCode();
    await committed(exchangeCode(code));
    failNextCommit('before');

    await expect(committed(exchangeCode(code))).rejects.toThrow('does not answer');
    const before = await isRevoked(grantId);
    const again = await errorOfAsync(() => committed(exchangeCode(code)));

    expect([before, again, await isRevoked(grantId)]).toEqual([false, 'invalid_grant', true]);
  });

  it('given to two requests at once settles one, whose grant the other ends', async () => {
    const { code, grantId } = await storedCode();
    const [one, other] = await Promise.all([exchangeCode(code), exchangeCode(code)]);

    await one.commit();

    expect(await errorOfAsync(other.commit)).toBe('invalid_grant');
    expect(await isRevoked(grantId)).toBe(true);
  });

  it.each([
    [NOW + 59_999, undefined],
    [NOW + 60_000, 'invalid_grant'],
  ])('at %d is worth %s', async (at, error) => {
    const { code } = await storedCode();

    expect(await errorOfAsync(() => committed(exchangeCode(code, at)))).toBe(error);
  });
});

describe('a refresh token', () => {
  const first = async () => {
    const { code, grantId } = await storedCode();
    return { grantId, token: (await committed(exchangeCode(code))).refreshToken };
  };

  it('whose replacement could not be written is good for the retry', async () => {
    const { grantId, token } = await first();
    failNextCommit('before');

    await expect(committed(renew(token))).rejects.toThrow('does not answer');
    const next = await committed(renew(token));

    expect(next.refreshToken).not.toBe(token);
    expect(await isRevoked(grantId)).toBe(false);
  });

  it('whose replacement was written unacknowledged counts as used: the retry ends the grant', async () => {
    const { grantId, token } = await first();
    failNextCommit('after');

    await expect(committed(renew(token))).rejects.toThrow('does not answer');

    expect(await errorOfAsync(() => committed(renew(token)))).toBe('invalid_grant');
    expect(await isRevoked(grantId)).toBe(true);
  });

  it('given to two requests at once settles one, whose grant the other ends', async () => {
    const { grantId, token } = await first();
    const [one, other] = await Promise.all([renew(token), renew(token)]);

    await one.commit();

    expect(await errorOfAsync(other.commit)).toBe('invalid_grant');
    expect(await isRevoked(grantId)).toBe(true);
  });

  it('does not outlive its grant, nor lengthen it', async () => {
    const { grantId, token } = await first();

    const next = await committed(renew(token, NOW + 999_999));

    expect((await reader.grant(grantId))?.expires_at).toBe(NOW + 1_000_000);
    expect(await errorOfAsync(() => committed(renew(next.refreshToken, NOW + 1_000_000)))).toBe(
      'invalid_grant',
    );
  });

  it('keeps the sign-in it comes from: refreshing makes nobody look freshly signed in', async () => {
    const { token } = await first();

    const { content } = await committed(renew(token, NOW + 999_999));

    expect(content.user?.signedInAt).toBe(NOW);
  });
});
