import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';

/** A stored secret: only its salted hash. */
export const SecretHash = z.object({ salt: z.string(), hash: z.string() });
export type SecretHash = z.infer<typeof SecretHash>;

/** The secrets of a credential: the current one, and the previous one during the overlap after a rotation. */
export const Secrets = z.object({
  current: SecretHash,
  previous: SecretHash.extend({ valid_until: z.iso.datetime() }).nullable(),
});
export type Secrets = z.infer<typeof Secrets>;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 256 bits in base 62. */
export const SECRET_LENGTH = 43;
const SECRET_BYTES = 32;
const SALT_BYTES = 16;

/** A number in base 62, padded at the front with zeros. */
export const base62 = (value: bigint, length: number): string => {
  let text = '';
  for (let rest = value, index = 0; index < length; index += 1, rest /= 62n) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
  }
  return text;
};

/** A source of random bytes, injected so that tests are deterministic. */
export type Random = (bytes: number) => Uint8Array;

/** A secret of 256 random bits in 43 characters of base 62. */
export const newSecret = (random: Random): string =>
  base62(BigInt(`0x${Buffer.from(random(SECRET_BYTES)).toString('hex')}`), SECRET_LENGTH);

const hashOf = (salt: string, secret: string): string => sha256Of(salt, secret).toString('hex');

/** SHA-256 over a fresh salt and the secret. A slow hash is not needed, because 256 random bits cannot be guessed. */
export const hashSecret = (secret: string, random: Random): SecretHash => {
  const salt = Buffer.from(random(SALT_BYTES)).toString('hex');
  return { salt, hash: hashOf(salt, secret) };
};

const ABSENT: SecretHash = { salt: '00'.repeat(SALT_BYTES), hash: '00'.repeat(32) };

const equals = (stored: SecretHash, secret: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(stored.salt, secret), 'hex'), Buffer.from(stored.hash, 'hex'));

/**
 * Whether the secret is valid for the credential at `now` (epoch milliseconds), in constant time. A missing credential
 * and one without a previous secret take the same comparisons, so the duration reveals neither.
 */
export const secretMatches = (stored: Secrets | null, secret: string, now: number): boolean => {
  const previous = stored?.previous ?? null;
  const isCurrent = equals(stored?.current ?? ABSENT, secret);
  const isPrevious = equals(previous ?? ABSENT, secret);
  const overlaps = previous !== null && now < Date.parse(previous.valid_until);
  return stored !== null && (isCurrent || (isPrevious && overlaps));
};

/** The secrets after a rotation at `at` (epoch milliseconds). The old one stays valid for `overlap` milliseconds. */
export const rotateSecrets = (
  secrets: Secrets,
  next: SecretHash,
  { at, overlap }: { readonly at: number; readonly overlap: number },
): Secrets => ({
  current: next,
  previous: overlap === 0 ? null : { ...secrets.current, valid_until: toIso(at + overlap) },
});
