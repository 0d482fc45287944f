import { timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { Scope } from '../../schemas/scopes.ts';
import { sha256Of } from '../shared/hash.ts';

/** An API key at rest: never the secret, only its salted hash. */
export const ApiKey = z.object({
  key_id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  scopes: z.array(Scope).min(1),
  salt: z.string(),
  hash: z.string(),
  state: z.enum(['active', 'revoked']),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** Which credentials an environment issues and takes: those of the other are refused. */
export const credentialMode = (environment: 'production' | 'sandbox' | 'local'): 'live' | 'test' =>
  environment === 'production' ? 'live' : 'test';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const PATTERN = new RegExp(
  `^ask_(live|test)_([a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

const base62 = (value: bigint, length: number): string => {
  let text = '';
  for (let rest = value, index = 0; index < length; index += 1, rest /= 62n) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
  }
  return text;
};

/** Tells a typo from a wrong key without a look-up, and lets secret scanners recognise a key. Not a protection. */
const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_LENGTH);

/** A secret of 256 random bits in 43 characters of base 62. */
export const secretOf = (random: Uint8Array): string =>
  base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), SECRET_LENGTH);

/** The key as its holder sees it, once. `keyId` is the record's id without its prefix. */
export const apiKeyText = (mode: 'live' | 'test', keyId: string, secret: string): string => {
  const body = `ask_${mode}_${keyId}_${secret}`;
  return body + checksum(body);
};

export interface ParsedApiKey {
  readonly mode: string;
  readonly keyId: string;
  readonly secret: string;
}

/** Reads a key; null when it is malformed or its checksum does not fit. */
export const parseApiKey = (text: string): ParsedApiKey | null => {
  const [, mode, keyId, secret, sum] = PATTERN.exec(text) ?? [];
  if (mode === undefined || keyId === undefined || secret === undefined) return null;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === sum ? { mode, keyId, secret } : null;
};

/** SHA-256 over salt and secret: 256 random bits cannot be guessed, so a slow hash would only cost time. */
export const secretHash = (salt: string, secret: string): string => sha256Of(salt, secret).toString('hex');

const ABSENT = { salt: '00'.repeat(16), hash: '00'.repeat(32) };

/**
 * Whether the secret is the stored one, in constant time. An absent record takes the same comparison,
 * so that time does not tell which ids exist.
 */
export const secretMatches = (
  stored: { readonly salt: string; readonly hash: string } | null,
  secret: string,
): boolean => {
  const { salt, hash } = stored ?? ABSENT;
  const same = timingSafeEqual(Buffer.from(secretHash(salt, secret), 'hex'), Buffer.from(hash, 'hex'));
  return same && stored !== null;
};

/** What a key with the right secret is worth at this instant. Expiry counts whatever the state. */
export const apiKeyStanding = (key: ApiKey, now: number): 'valid' | 'expired' | 'revoked' => {
  if (key.expires_at !== null && Date.parse(key.expires_at) <= now) return 'expired';
  return key.state === 'active' ? 'valid' : 'revoked';
};
