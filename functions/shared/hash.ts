import { createHash, type Hash } from 'node:crypto';

/**
 * SHA-256 over parts that cannot run into one another: each is preceded by its length,
 * so ("ab", "c") and ("a", "bc") differ.
 */
export const sha256Of = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash: Hash = createHash('sha256');
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
    hash.update(`${bytes.byteLength}:`).update(bytes);
  }
  return hash.digest();
};
