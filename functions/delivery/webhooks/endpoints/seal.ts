import type { Random } from '../../../identity/access/principals/secret.ts';
import { seal, unseal } from '../../../platform/shared/seal.ts';
import { SigningSecrets } from './signature.ts';

/** Additional authenticated data: a sealed value cannot be moved to another endpoint or to another field. */
const associatedDataOf = (endpointId: string, field: 'challenge' | 'secrets'): string =>
  `${field} of ${endpointId}`;

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
