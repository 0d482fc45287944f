import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../../access/secret.ts';
import { SigningSecrets } from './signature.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Where a seal belongs: moved to another endpoint, or read as something else, it does not open. */
const placeOf = (endpointId: string, what: 'challenge' | 'secrets'): Buffer =>
  Buffer.from(`${what} of ${endpointId}`);

export const seal = (text: string, place: Buffer, key: Uint8Array, random: Random): string => {
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(place);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  );
};

export const unseal = (sealed: string, place: Buffer, key: Uint8Array): string => {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(place)
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
): string => seal(JSON.stringify(secrets), placeOf(endpointId, 'secrets'), key, random);

/** Throws when the seal was made for another endpoint or with another key, or was altered. */
export const openSecrets = (
  { id, sealed_secrets }: { readonly id: string; readonly sealed_secrets: string },
  key: Uint8Array,
): SigningSecrets => SigningSecrets.parse(JSON.parse(unseal(sealed_secrets, placeOf(id, 'secrets'), key)));

export const sealChallenge = (
  challenge: string,
  endpointId: string,
  key: Uint8Array,
  random: Random,
): string => seal(challenge, placeOf(endpointId, 'challenge'), key, random);

/** The challenge to be sent; null when none is open. Throws as {@link openSecrets} does. */
export const openChallenge = (
  { id, sealed_challenge }: { readonly id: string; readonly sealed_challenge: string | null },
  key: Uint8Array,
): string | null =>
  sealed_challenge === null ? null : unseal(sealed_challenge, placeOf(id, 'challenge'), key);
