import { createHash, sign, verify } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  issueAccessToken,
  TOKEN_LIFETIME_SECONDS,
  type TokenContent,
  verifyAccessToken,
} from '../../../../functions/identity/access/tokens/accessToken.ts';
import { joseSignatureOf } from '../../../../functions/identity/access/tokens/signingKey.aws.ts';
import { scopeNames } from '../../../../schemas/identity/scopes.ts';
import { privateKey, publicKey, signer } from '../testSigner.ts';

const ISSUER = 'https://api.example.com';
const NOW = Date.parse('2026-05-01T12:00:00Z');
const SKEW = 60_000;

const grant: TokenContent = { tenantId: 'acme', clientId: 'cli_1', scopes: ['ingest:write'] };
const issue = (given = grant) => issueAccessToken(given, { issuer: ISSUER, now: NOW, jti: 'id', signer });
const verifyAt = (token: string, now = NOW, issuer = ISSUER) =>
  verifyAccessToken(token, { issuer, now, keys: signer });

describe('issueAccessToken and verifyAccessToken', () => {
  it('return tenant, client and scopes of the issued token', async () => {
    const scopes = fc.uniqueArray(fc.constantFrom(...scopeNames), { minLength: 1 });
    const id = fc.string({ minLength: 1 });

    await fc.assert(
      fc.asyncProperty(id, id, scopes, async (tenantId, clientId, scopes) => {
        const token = await issue({ tenantId, clientId, scopes });
        expect(await verifyAt(token)).toEqual({
          tenantId,
          clientId,
          subject: clientId,
          grantId: null,
          scopes: new Set(scopes),
          jti: 'id',
          expiresAt: NOW + TOKEN_LIFETIME_SECONDS * 1_000,
        });
      }),
      { numRuns: 25 },
    );
  });

  it('return user and grant of a delegated token', async () => {
    const user = { userId: 'usr_1', grantId: 'grant', signedInAt: NOW - 60_000 };

    const token = await issue({ ...grant, user });

    expect(await verifyAt(token)).toMatchObject({ subject: 'usr_1', clientId: 'cli_1', grantId: 'grant' });
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ sub: 'usr_1', auth_time: NOW / 1_000 - 60 });
  });

  it('accept a token for 15 minutes plus one minute of clock skew', async () => {
    const token = await issue();
    const end = NOW + TOKEN_LIFETIME_SECONDS * 1_000;

    expect(await verifyAt(token, end + SKEW - 1_000)).not.toBeNull();
    expect(await verifyAt(token, end + SKEW)).toBe('expired');
  });

  it('accept a token from one minute before its not-before time', async () => {
    const token = await issue();

    expect(await verifyAt(token, NOW - SKEW)).not.toBeNull();
    expect(await verifyAt(token, NOW - SKEW - 1_000)).toBeNull();
  });

  it('reject a token of another issuer', async () => {
    expect(await verifyAt(await issue(), NOW, 'https://sandbox.example.com')).toBeNull();
  });

  it('reject a token with any single character changed', async () => {
    const token = await issue();

    for (let index = token.length - 1; index >= 0; index -= 7) {
      for (const character of 'ABQgw-_'.replace(token[index] ?? '', '')) {
        const changed = token.slice(0, index) + character + token.slice(index + 1);
        expect(await verifyAt(changed), changed).toBeNull();
      }
    }
  });

  it('throw instead of rejecting the token when the keys are unavailable', async () => {
    const keys = {
      publicKeys: async () => {
        throw new Error('the key service is down');
      },
    };

    await expect(verifyAccessToken(await issue(), { issuer: ISSUER, now: NOW, keys })).rejects.toThrow(
      'down',
    );
  });
});

describe('joseSignatureOf', () => {
  it('converts a DER signature to the JWS format', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const message = createHash('sha256').update(text).digest();
        const der = sign('sha256', message, privateKey);

        const jose = joseSignatureOf(der);

        expect(jose).toHaveLength(64);
        expect(verify('sha256', message, { key: publicKey, dsaEncoding: 'ieee-p1363' }, jose)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('verifyAccessToken with a token signed by the right key', () => {
  const seconds = NOW / 1_000;
  const claims = {
    iss: ISSUER,
    aud: ISSUER,
    sub: 'cli_1',
    client_id: 'cli_1',
    tenant_id: 'acme',
    scope: 'ingest:write',
    jti: 'id',
    iat: seconds,
    nbf: seconds,
    exp: seconds + 900,
  };
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  /** A token with arbitrary claims, signed with the right key. */
  const forge = (change: object = {}, header: object = {}): string => {
    const input = `${part({ alg: 'ES256', typ: 'at+jwt', kid: 'one', ...header })}.${part({ ...claims, ...change })}`;
    const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  };

  it('accepts unchanged claims and the limits of each claim', async () => {
    expect(await verifyAt(forge())).not.toBeNull();
    expect(await verifyAt(forge({ exp: seconds + 3_600 }))).not.toBeNull();
    expect(await verifyAt(forge({ iat: seconds + 60, nbf: seconds + 60 }))).not.toBeNull();
  });

  it.each([
    ['another issuer', { iss: 'https://other.example.com' }],
    ['another audience', { aud: 'https://other.example.com' }],
    ['several audiences', { aud: [ISSUER, 'https://other.example.com'] }],
    ['no tenant', { tenant_id: undefined }],
    ['an empty tenant', { tenant_id: '' }],
    ['no client', { client_id: undefined }],
    ['no id', { jti: undefined }],
    ['unknown scopes only', { scope: 'everything' }],
    ['no scope at all', { scope: '' }],
    ['no expiry', { exp: undefined }],
    ['no not-before time', { nbf: undefined }],
    ['no issue time', { iat: undefined }],
    ['an expiry as text', { exp: String(seconds + 900) }],
    ['a lifetime of more than one hour', { exp: seconds + 3_601 }],
    ['an issue time beyond the clock skew', { iat: seconds + 61 }],
    ['a not-before time beyond the clock skew', { nbf: seconds + 61 }],
    ['a subject that is not its client and without a grant', { sub: 'usr_1' }],
  ])('rejects the token with %s', async (_, change) => {
    expect(await verifyAt(forge(change))).toBeNull();
  });

  it.each([
    ['no kid', { kid: undefined }],
    ['an unpublished kid', { kid: 'two' }],
    ['no type', { typ: undefined }],
    ['the type of an ID token', { typ: 'JWT' }],
    ['no algorithm', { alg: 'none' }],
    ['another algorithm', { alg: 'HS256' }],
  ])('rejects the token with %s', async (_, header) => {
    expect(await verifyAt(forge({}, header))).toBeNull();
  });

  it('drops unknown scopes', async () => {
    expect(await verifyAt(forge({ scope: 'ingest:write everything' }))).toMatchObject({
      scopes: new Set(['ingest:write']),
    });
  });

  it('rejects a non-canonical base64 encoding of the same bytes', async () => {
    const [head = '', body = '', signature = ''] = forge().split('.');

    for (const text of [
      `${head}.${body}.${signature}=`,
      `${head}.${body}. ${signature}`,
      `${head}.${body}.${signature}.`,
    ]) {
      expect(await verifyAt(text)).toBeNull();
    }
  });

  it('throws when the keys are unavailable', async () => {
    const keys = { publicKeys: () => Promise.reject(new Error('down')) };

    await expect(verifyAccessToken(forge(), { issuer: ISSUER, now: NOW, keys })).rejects.toThrow('down');
  });
});
