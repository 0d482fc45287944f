const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;
const RANDOM_BYTES = 10;

/** Encodes `bytes` in Crockford's base 32, padded with zero bits at the front. */
const encode = (bytes: Uint8Array, length: number): string => {
  let text = '';
  let bits = length * 5 - bytes.length * 8;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET.charAt((value >>> (bits - 5)) & 31);
    value &= 31;
  }
  return text;
};

const encodeTime = (milliseconds: number): string => {
  let text = '';
  for (let rest = milliseconds, index = 0; index < TIME_LENGTH; index += 1, rest = Math.floor(rest / 32)) {
    text = ALPHABET.charAt(rest % 32) + text;
  }
  return text;
};

/** The time part of a ULID: the first 10 characters, which sort chronologically. */
export const ulidTime = (milliseconds: number): string => encodeTime(milliseconds);

/**
 * A ULID (https://github.com/ulid/spec) with a given random part, so that the same input gives the same id.
 * `entropy` holds at least 10 bytes; the first 10 are used.
 */
export const ulidOf = (milliseconds: number, entropy: Uint8Array): string =>
  encodeTime(milliseconds) + encode(entropy.subarray(0, RANDOM_BYTES), 16);

/** An id in ULID format without a time: 128 bits of a digest. */
export const ulidOfDigest = (digest: Uint8Array): string => encode(digest.subarray(0, 16), 26);

/** One of `count` shards for a ULID, from its random part. `count` is a power of two, at most 32. */
export const shardOfUlid = (ulid: string, count: number): number => ALPHABET.indexOf(ulid.slice(-1)) % count;

/** The time of a ULID in epoch milliseconds. */
export const timeOfUlid = (ulid: string): number => {
  let milliseconds = 0;
  for (const character of ulid.slice(0, TIME_LENGTH)) {
    milliseconds = milliseconds * 32 + ALPHABET.indexOf(character);
  }
  return milliseconds;
};
