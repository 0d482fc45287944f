import { createHmac, createPublicKey, generateKeyPairSync, sign as signWith } from 'node:crypto';
import type { SigningJwk, SigningKey } from '../../functions/access/signingKey.store.ts';

type Json = Record<string, unknown>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs for the key service's key; `other` for a key of the attacker's own. */
export interface ForgeryContext {
  readonly jwk: SigningJwk;
  readonly issuer: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly genuine: SigningKey['sign'];
  /** Epoch seconds. */
  readonly now: number;
}

const attacker = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const attackerJwk = attacker.publicKey.export({ format: 'jwk' });
const byAttacker = async (input: string): Promise<Uint8Array> =>
  signWith('sha256', Buffer.from(input), { key: attacker.privateKey, dsaEncoding: 'ieee-p1363' });

/** A token like a good one but for `header` and `claims`; undefined takes a member away. */
export const forgeToken = async (
  { jwk, issuer, tenantId, clientId, genuine, now }: ForgeryContext,
  change: { readonly header?: Json; readonly claims?: Json; readonly sign?: SigningKey['sign'] } = {},
): Promise<string> => {
  const header = { alg: 'ES256', typ: 'at+jwt', kid: jwk.kid, ...change.header };
  const claims = {
    iss: issuer,
    aud: issuer,
    sub: clientId,
    client_id: clientId,
    tenant_id: tenantId,
    scope: 'read:attribution ingest:write',
    jti: 'forged',
    iat: now,
    nbf: now,
    exp: now + 900,
    ...change.claims,
  };
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${Buffer.from(await (change.sign ?? genuine)(input)).toString('base64url')}`;
};

type Make = (by: ForgeryContext) => Promise<string>;
const header =
  (changed: Json): Make =>
  (by) =>
    forgeToken(by, { header: changed });
const claims =
  (changed: (by: ForgeryContext) => Json): Make =>
  (by) =>
    forgeToken(by, { claims: changed(by) });
const signed =
  (changed: Json, sign: (by: ForgeryContext) => SigningKey['sign']): Make =>
  (by) =>
    forgeToken(by, { header: changed, sign: sign(by) });
const rewritten =
  (change: (token: string) => string): Make =>
  async (by) =>
    change(await forgeToken(by));

const nothing = async () => new Uint8Array();
const zeros = async () => new Uint8Array(64);
const hmacWith = (key: string | Buffer) => async (input: string) =>
  createHmac('sha256', key).update(input).digest();
const pem = ({ jwk }: ForgeryContext) =>
  createPublicKey({ key: { ...jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });

const parts = (token: string): [string, string, string] => {
  const [head = '', payload = '', signature = ''] = token.split('.');
  return [head, payload, signature];
};

/** Ways to make a token that must be worth nothing; each differs from a good one in one thing. */
export const forgedTokens: readonly (readonly [string, Make])[] = [
  ['alg none without a signature', signed({ alg: 'none' }, () => nothing)],
  ['alg none with a good signature', header({ alg: 'none' })],
  ['alg nOnE', signed({ alg: 'nOnE' }, () => nothing)],
  ['HS256 with the public key as PEM', signed({ alg: 'HS256' }, (by) => hmacWith(pem(by)))],
  ['HS256 with the public key as JWK', signed({ alg: 'HS256' }, ({ jwk }) => hmacWith(JSON.stringify(jwk)))],
  ['HS256 with an empty key', signed({ alg: 'HS256' }, () => hmacWith(''))],
  ['ES384 in name', header({ alg: 'ES384' })],
  ['RS256 in name', header({ alg: 'RS256' })],
  ['no alg', header({ alg: undefined })],
  ['the key of an attacker under our kid', signed({}, () => byAttacker)],
  ['the key of an attacker in jwk', signed({ jwk: attackerJwk }, () => byAttacker)],
  ['the key of an attacker by jku', signed({ jku: 'https://evil.example.com/jwks.json' }, () => byAttacker)],
  ['the key of an attacker by x5u', signed({ x5u: 'https://evil.example.com/cert.pem' }, () => byAttacker)],
  ['a signature of zeros', signed({}, () => zeros)],
  ['no kid', header({ kid: undefined })],
  ['an unknown kid', header({ kid: 'unknown' })],
  ['a kid like a path', header({ kid: '../../../../dev/null' })],
  ['a kid like a query', header({ kid: "' OR '1'='1" })],
  ['a kid that is a number', header({ kid: 0 })],
  ['typ JWT', header({ typ: 'JWT' })],
  ['typ of an ID token', header({ typ: 'id+jwt' })],
  ['no typ', header({ typ: undefined })],
  ['a critical extension', header({ crit: ['exp2'], exp2: 1 })],
  ['an unencoded payload', header({ crit: ['b64'], b64: false })],
  ['another issuer', claims(() => ({ iss: 'https://evil.example.com' }))],
  ['our issuer with a slash', claims(({ issuer }) => ({ iss: `${issuer}/` }))],
  ['no issuer', claims(() => ({ iss: undefined }))],
  ['another audience', claims(() => ({ aud: 'https://other.example.com' }))],
  ['our audience among others', claims(({ issuer }) => ({ aud: [issuer, 'https://other.example.com'] }))],
  ['our audience in a list', claims(({ issuer }) => ({ aud: [issuer] }))],
  ['no audience', claims(() => ({ aud: undefined }))],
  ['no expiry', claims(() => ({ exp: undefined }))],
  ['an expiry as text', claims(({ now }) => ({ exp: String(now + 900) }))],
  ['an expiry beyond numbers', claims(() => ({ exp: 1e308 }))],
  ['an expiry 61 s ago', claims(({ now }) => ({ iat: now - 900, nbf: now - 900, exp: now - 61 }))],
  ['a beginning 90 s ahead', claims(({ now }) => ({ nbf: now + 90 }))],
  ['an issue 90 s ahead', claims(({ now }) => ({ iat: now + 90 }))],
  ['no time of issue', claims(() => ({ iat: undefined }))],
  ['no beginning', claims(() => ({ nbf: undefined }))],
  ['a life over an hour', claims(({ now }) => ({ exp: now + 3_601 }))],
  ['a life of a day, issued long ago', claims(({ now }) => ({ iat: now - 80_000, exp: now + 900 }))],
  ['no tenant', claims(() => ({ tenant_id: undefined }))],
  ['an empty tenant', claims(() => ({ tenant_id: '' }))],
  ['an unknown tenant', claims(() => ({ tenant_id: 'nobody' }))],
  ['two tenants', claims(({ tenantId }) => ({ tenant_id: [tenantId, 'globex'] }))],
  ['no client', claims(() => ({ client_id: undefined }))],
  ['no scope', claims(() => ({ scope: undefined }))],
  ['an empty scope', claims(() => ({ scope: '' }))],
  ['an unknown scope', claims(() => ({ scope: 'read:everything' }))],
  ['scopes in a list', claims(() => ({ scope: ['read:attribution'] }))],
  ['a dot behind it', rewritten((token) => `${token}.`)],
  ['padding', rewritten((token) => `${token}==`)],
  ['its signature stripped', rewritten((token) => parts(token).slice(0, 2).join('.'))],
  ['its signature emptied', rewritten((token) => `${parts(token).slice(0, 2).join('.')}.`)],
  ['its signature cut', rewritten((token) => token.slice(0, -2))],
  [
    'another spelling of its signature',
    rewritten((token) => token.slice(0, -1) + flipLastBit(token.slice(-1))),
  ],
  [
    'its claims widened',
    rewritten((token) => {
      const [head, payload, signature] = parts(token);
      const widened = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), scope: 'admin:config' };
      return [head, encode(widened), signature].join('.');
    }),
  ],
  ['five parts', rewritten((token) => `${token}.a.b`)],
  [
    'a payload that is no object',
    rewritten((token) => [parts(token)[0], encode([1]), parts(token)[2]].join('.')),
  ],
  ['a header that is no JSON', rewritten((token) => `e30x.${parts(token).slice(1).join('.')}`)],
];

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** The last character of 64 bytes holds four bits that mean nothing. */
const flipLastBit = (character: string): string => BASE64URL[BASE64URL.indexOf(character) ^ 1] ?? '';
