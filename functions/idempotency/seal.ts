import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a seal is made from; without all of it a stored response cannot be opened. */
export interface SealSecrets {
  /** The stack's own secret, held in KMS: without it a short Idempotency-Key could be guessed from the table. */
  readonly stack: Uint8Array;
  /** As the caller sent it. Neither this nor the principal is stored in the clear. */
  readonly idempotencyKey: string;
  readonly principal: string;
}

/** HKDF (RFC 5869) with SHA-256; the caller's part is framed, so that key and principal cannot run into each other. */
const deriveSealKey = ({ stack, idempotencyKey, principal }: SealSecrets): Uint8Array =>
  new Uint8Array(
    hkdfSync('sha256', stack, JSON.stringify([idempotencyKey, principal]), 'stored response', KEY_BYTES),
  );

/**
 * Seals a response (AES-256-GCM) for the row it is kept in: moved to another row it does not open.
 * `nonce` is 12 random bytes.
 */
export const seal = (text: string, row: string, secrets: SealSecrets, nonce: Uint8Array): string => {
  const cipher = createCipheriv(CIPHER, deriveSealKey(secrets), nonce).setAAD(Buffer.from(row));
  const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64');
};

/** Opens a seal. Throws when any of row, secrets or bytes is not what it was sealed with. */
export const unseal = (sealed: string, row: string, secrets: SealSecrets): string => {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, deriveSealKey(secrets), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(row))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
};
