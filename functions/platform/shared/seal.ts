import { createCipheriv, createDecipheriv } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text with AES-256-GCM, as base64 of nonce, ciphertext and tag. `associatedData` names where the seal
 * belongs: a copy in another row cannot be opened. `key` is 32 bytes. `random` must return fresh bytes each time,
 * since GCM with a repeated nonce protects nothing.
 */
export const seal = (
  text: string,
  associatedData: string,
  key: Uint8Array,
  random: (bytes: number) => Uint8Array,
): string => {
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(associatedData));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  );
};

/** Decrypts a seal. Throws when the key, the associated data or any byte differs from those it was made with. */
export const unseal = (sealed: string, associatedData: string, key: Uint8Array): string => {
  const bytes = Buffer.from(sealed, 'base64');
  // With the tag length fixed, a shortened tag is refused instead of compared in part.
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(associatedData))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
};
