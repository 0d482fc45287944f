import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../../access/secret.ts';
import { SigningSecrets } from './signature.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Additional authenticated data: a sealed value cannot be moved to another endpoint or to another field. */
const associatedDataOf = (endpointId: string, field: 'challenge' | 'secrets'): Buffer =>
  Buffer.from(`${field} of ${endpointId}`);

/** Encrypts a text with AES-256-GCM. Returns base64 of nonce, ciphertext and tag. `key` is 32 bytes. */
export const seal = (text: string, associatedData: Buffer, key: Uint8Array, random: Random): string => {
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(associatedData);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  );
};

/** Decrypts a sealed text. Throws when the key or the associated data differ, or the sealed text was altered. */
export const unseal = (sealed: string, associatedData: Buffer, key: Uint8Array): string => {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(associatedData)
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
};

/**
 * Encrypts the signing secrets of an endpoint. They are needed in plain text for each delivery, so a hash, as for
 * credentials, is not enough. `key` is 32 bytes, derived in KMS.
 */
export const sealSecrets = (
  secrets: SigningSecrets,
  endpointId: string,
  key: Uint8Array,
  random: Random,
): string => seal(JSON.stringify(secrets), associatedDataOf(endpointId, 'secrets'), key, random);

/** Decrypts the signing secrets. Throws when they were sealed for another endpoint or with another key, or were altered. */
export const unsealSecrets = (
  { id, sealed_secrets }: { readonly id: string; readonly sealed_secrets: string },
  key: Uint8Array,
): SigningSecrets =>
  SigningSecrets.parse(JSON.parse(unseal(sealed_secrets, associatedDataOf(id, 'secrets'), key)));

export const sealChallenge = (
  challenge: string,
  endpointId: string,
  key: Uint8Array,
  random: Random,
): string => seal(challenge, associatedDataOf(endpointId, 'challenge'), key, random);

/** Decrypts the open challenge. Null when none is open. Throws as {@link unsealSecrets} does. */
export const unsealChallenge = (
  { id, sealed_challenge }: { readonly id: string; readonly sealed_challenge: string | null },
  key: Uint8Array,
): string | null =>
  sealed_challenge === null ? null : unseal(sealed_challenge, associatedDataOf(id, 'challenge'), key);
