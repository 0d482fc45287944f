import { createECDH, type KeyObject } from 'node:crypto';
import * as z from 'zod';

/** The order of the group of NIST P-256 (SEC 2, section 2.4.2). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * Signs a SHA-256 digest with a P-256 key (FIPS 186-5, section 6.4.1), DER encoded. Node signs messages only and would
 * hash the digest once more. Not in constant time: it serves one developer's machine.
 */
export function signDigest(digest: Buffer, key: KeyObject): Buffer {
  const secret = integer(
    Buffer.from(z.object({ d: z.string() }).parse(key.export({ format: 'jwk' })).d, 'base64url'),
  );
  for (;;) {
    const ephemeral = createECDH('prime256v1');
    // The public point is one byte of format, then 32 bytes of x, then 32 of y.
    const r = integer(ephemeral.generateKeys().subarray(1, 33)) % ORDER;
    const s = (inverse(integer(ephemeral.getPrivateKey())) * (integer(digest) + r * secret)) % ORDER;
    if (r !== 0n && s !== 0n) return sequence(derInteger(r), derInteger(s));
  }
}

const integer = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);

/** Fermat: k to the power n-2 is the inverse of k modulo a prime n. */
function inverse(value: bigint): bigint {
  let result = 1n;
  let base = value % ORDER;
  for (let exponent = ORDER - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % ORDER;
    base = (base * base) % ORDER;
  }
  return result;
}

/** DER integers are signed: a leading zero byte keeps a high first bit from making them negative. */
function derInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  const body = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  return Buffer.concat([Buffer.of(0x02, body.length), body]);
}

function sequence(...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}
