import { createHmac, createPublicKey, generateKeyPairSync, sign as signWith } from 'node:crypto';
import type { SigningJwk, SigningKey } from '../../functions/identity/access/tokens/signingKey.aws.ts';

type Json = Record<string, unknown>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What a forger needs: the public key and signing function of the service, and the claims of a genuine token. */
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

/** A valid token except for the changes in `header` and `claims`. An undefined value removes the member. */
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

type MakeToken = (by: ForgeryContext) => Promise<string>;
const header =
  (changed: Json): MakeToken =>
  (by) =>
    forgeToken(by, { header: changed });
const claims =
  (changed: (by: ForgeryContext) => Json): MakeToken =>
  (by) =>
    forgeToken(by, { claims: changed(by) });
const signed =
  (changed: Json, sign: (by: ForgeryContext) => SigningKey['sign']): MakeToken =>
  (by) =>
    forgeToken(by, { header: changed, sign: sign(by) });
const rewritten =
  (change: (token: string) => string): MakeToken =>
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

/** Invalid tokens. Each differs from a valid token in one respect. */
export const forgedTokens: readonly (readonly [string, MakeToken])[] = [
  ['alg none without a signature', signed({ alg: 'none' }, () => nothing)],
  ['alg none with a good signature', header({ alg: 'none' })],
  ['alg nOnE', signed({ alg: 'nOnE' }, () => nothing)],
  ['HS256 with the public key as PEM', signed({ alg: 'HS256' }, (by) => hmacWith(pem(by)))],
  ['HS256 with the public key as JWK', signed({ alg: 'HS256' }, ({ jwk }) => hmacWith(JSON.stringify(jwk)))],
  ['HS256 with an empty key', signed({ alg: 'HS256' }, () => hmacWith(''))],
  ['alg ES384', header({ alg: 'ES384' })],
  ['alg RS256', header({ alg: 'RS256' })],
  ['no alg', header({ alg: undefined })],
  ['the key of an attacker under our kid', signed({}, () => byAttacker)],
  ['the key of an attacker in jwk', signed({ jwk: attackerJwk }, () => byAttacker)],
  ['the key of an attacker by jku', signed({ jku: 'https://evil.example.com/jwks.json' }, () => byAttacker)],
  ['the key of an attacker by x5u', signed({ x5u: 'https://evil.example.com/cert.pem' }, () => byAttacker)],
  ['a signature of zeros', signed({}, () => zeros)],
  ['no kid', header({ kid: undefined })],
  ['an unknown kid', header({ kid: 'unknown' })],
  ['a kid with a file path', header({ kid: '../../../../dev/null' })],
  ['a kid with SQL', header({ kid: "' OR '1'='1" })],
  ['a kid that is a number', header({ kid: 0 })],
  ['typ JWT', header({ typ: 'JWT' })],
  ['typ of an ID token', header({ typ: 'id+jwt' })],
  ['no typ', header({ typ: undefined })],
  ['a critical extension', header({ crit: ['exp2'], exp2: 1 })],
  ['an unencoded payload', header({ crit: ['b64'], b64: false })],
  ['another issuer', claims(() => ({ iss: 'https://evil.example.com' }))],
  ['our issuer with a trailing slash', claims(({ issuer }) => ({ iss: `${issuer}/` }))],
  ['no issuer', claims(() => ({ iss: undefined }))],
  ['another audience', claims(() => ({ aud: 'https://other.example.com' }))],
  ['our audience among others', claims(({ issuer }) => ({ aud: [issuer, 'https://other.example.com'] }))],
  ['our audience in a list', claims(({ issuer }) => ({ aud: [issuer] }))],
  ['no audience', claims(() => ({ aud: undefined }))],
  ['no expiry', claims(() => ({ exp: undefined }))],
  ['an expiry as text', claims(({ now }) => ({ exp: String(now + 900) }))],
  ['an expiry of 1e308', claims(() => ({ exp: 1e308 }))],
  ['nbf 90 s ahead', claims(({ now }) => ({ nbf: now + 90 }))],
  ['iat 90 s ahead', claims(({ now }) => ({ iat: now + 90 }))],
  ['no iat', claims(() => ({ iat: undefined }))],
  ['no nbf', claims(() => ({ nbf: undefined }))],
  ['a lifetime over one hour', claims(({ now }) => ({ exp: now + 3_601 }))],
  ['a lifetime of a day, issued long ago', claims(({ now }) => ({ iat: now - 80_000, exp: now + 900 }))],
  ['no tenant', claims(() => ({ tenant_id: undefined }))],
  ['an empty tenant', claims(() => ({ tenant_id: '' }))],
  ['an unknown tenant', claims(() => ({ tenant_id: 'nobody' }))],
  ['two tenants', claims(({ tenantId }) => ({ tenant_id: [tenantId, 'globex'] }))],
  ['no client', claims(() => ({ client_id: undefined }))],
  ['no scope', claims(() => ({ scope: undefined }))],
  ['an empty scope', claims(() => ({ scope: '' }))],
  ['an unknown scope', claims(() => ({ scope: 'read:everything' }))],
  ['scopes in a list', claims(() => ({ scope: ['read:attribution'] }))],
  ['a trailing dot', rewritten((token) => `${token}.`)],
  ['padding', rewritten((token) => `${token}==`)],
  ['no signature part', rewritten((token) => parts(token).slice(0, 2).join('.'))],
  ['an empty signature', rewritten((token) => `${parts(token).slice(0, 2).join('.')}.`)],
  ['a truncated signature', rewritten((token) => token.slice(0, -2))],
  [
    'a non-canonical base64url signature',
    rewritten((token) => token.slice(0, -1) + flipLastBit(token.slice(-1))),
  ],
  [
    'a changed scope claim',
    rewritten((token) => {
      const [head, payload, signature] = parts(token);
      const widened = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), scope: 'admin:config' };
      return [head, encode(widened), signature].join('.');
    }),
  ],
  ['five parts', rewritten((token) => `${token}.a.b`)],
  [
    'a payload that is not an object',
    rewritten((token) => [parts(token)[0], encode([1]), parts(token)[2]].join('.')),
  ],
  ['an empty header object', rewritten((token) => `e30x.${parts(token).slice(1).join('.')}`)],
];

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** In base64url, the last character of 64 bytes has four unused bits. Flips one of them. */
const flipLastBit = (character: string): string => BASE64URL[BASE64URL.indexOf(character) ^ 1] ?? '';
