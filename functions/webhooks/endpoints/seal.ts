import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../../access/secret.ts';
import { SigningSecrets } from './signature.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Where a seal belongs: moved to another endpoint, or read as something else, it does not open. */
const associatedDataOf = (endpointId: string, what: 'challenge' | 'secrets'): Buffer =>
  Buffer.from(`${what} of ${endpointId}`);

export const seal = (text: string, associatedData: Buffer, key: Uint8Array, random: Random): string => {
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(associatedData);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  );
};

export const unseal = (sealed: string, associatedData: Buffer, key: Uint8Array): string => {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(associatedData)
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
};

/**
 * Seals what an endpoint is signed for with (AES-256-GCM): unlike a credential, which is only compared, it is needed
 * again for each delivery, so a hash does not do. `key` is 32 bytes, derived in KMS.
 */
export const sealSecrets = (
  secrets: SigningSecrets,
  endpointId: string,
  key: Uint8Array,
  random: Random,
): string => seal(JSON.stringify(secrets), associatedDataOf(endpointId, 'secrets'), key, random);

/** Throws when the seal was made for another endpoint or with another key, or was altered. */
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

/** The challenge to be sent; null when none is open. Throws as {@link openSecrets} does. */
export const unsealChallenge = (
  { id, sealed_challenge }: { readonly id: string; readonly sealed_challenge: string | null },
  key: Uint8Array,
): string | null =>
  sealed_challenge === null ? null : unseal(sealed_challenge, associatedDataOf(id, 'challenge'), key);
