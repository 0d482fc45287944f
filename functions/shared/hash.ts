import { hash } from 'node:crypto';

const lengthPrefixed = (part: string | Uint8Array): string => {
  const text = typeof part === 'string' ? part : hash('sha256', part, 'hex');
  return `${text.length}:${text}`;
};

/**
 * SHA-256 over several parts. Each part is prefixed with its length, so ("ab", "c") and ("a", "bc") differ. Bytes are
 * replaced by their own digest.
 */
export const sha256Of = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  hash('sha256', parts.map(lengthPrefixed).join(''), 'buffer');
