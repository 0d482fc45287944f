const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;
const RANDOM_BYTES = 10;

const encode = (value: bigint, length: number): string => {
  let text = '';
  for (let rest = value, index = 0; index < length; index += 1, rest >>= 5n) {
    text = ALPHABET.charAt(Number(rest & 31n)) + text;
  }
  return text;
};

const bigintOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

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
  timeParts(milliseconds) + encode(bigintOf(entropy.subarray(0, RANDOM_BYTES)), 16);

/** An id of ULID shape that holds no time: 128 bits of a digest. */
export const ulidOfDigest = (digest: Uint8Array): string => encode(bigintOf(digest.subarray(0, 16)), 26);

/** Epoch milliseconds of a ULID. */
export const timeOfUlid = (ulid: string): number => {
  let milliseconds = 0;
  for (const character of ulid.slice(0, TIME_LENGTH)) {
    milliseconds = milliseconds * 32 + ALPHABET.indexOf(character);
  }
  return milliseconds;
};
