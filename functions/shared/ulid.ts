const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;
const RANDOM_BYTES = 10;

/** The bits of `bytes` in groups of five, the first group filled up in front, as Crockford's base 32. */
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

const timeParts = (milliseconds: number): string => {
  let text = '';
  for (let rest = milliseconds, index = 0; index < TIME_LENGTH; index += 1, rest = Math.floor(rest / 32)) {
    text = ALPHABET.charAt(rest % 32) + text;
  }
  return text;
};

/** The first 10 characters of every ULID of a millisecond: sorts as time does. */
export const ulidTime = (milliseconds: number): string => timeParts(milliseconds);

/**
 * A ULID (https://github.com/ulid/spec) whose random part is given, so that the same cause makes the same id.
 * `entropy` holds at least 10 bytes; the first 10 are used.
 */
export const ulidOf = (milliseconds: number, entropy: Uint8Array): string =>
  timeParts(milliseconds) + encode(entropy.subarray(0, RANDOM_BYTES), 16);

/** An id of ULID shape that holds no time: 128 bits of a digest. */
export const ulidOfDigest = (digest: Uint8Array): string => encode(digest.subarray(0, 16), 26);

/** Epoch milliseconds of a ULID. */
export const timeOfUlid = (ulid: string): number => {
  let milliseconds = 0;
  for (const character of ulid.slice(0, TIME_LENGTH)) {
    milliseconds = milliseconds * 32 + ALPHABET.indexOf(character);
  }
  return milliseconds;
};
