import { hash } from 'node:crypto';

/** UTF-8 has no code for half a surrogate pair, so such texts would all become the same bytes. */
const toHex = (text: string): string => Buffer.from(text, 'utf16le').toString('hex');

const lengthPrefixed = (part: string | Uint8Array): string => {
  if (typeof part === 'string' && !part.isWellFormed()) return `utf16:${lengthPrefixed(toHex(part))}`;
  if (typeof part !== 'string') return `bytes:${hash('sha256', part, 'hex')}`;
  return `${part.length}:${part}`;
};

/**
 * SHA-256 over several parts. Each part is prefixed with its length, so ("ab", "c") and ("a", "bc") differ. Bytes are
 * replaced by their own digest, under a prefix that no text has. So bytes never equal text, also not the text of their
 * digest.
 */
export const sha256Of = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  hash('sha256', parts.map(lengthPrefixed).join(''), 'buffer');
