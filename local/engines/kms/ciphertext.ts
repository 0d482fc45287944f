import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What KMS authenticates together with a ciphertext. Decryption needs the same names and values. */
type EncryptionContext = Readonly<Record<string, string>>;

/** The ciphertext was made with another key or another context, or was altered. KMS does not tell which. */
export class InvalidCiphertextError extends Error {
  override readonly name = 'InvalidCiphertextError';
}

/** The order of the pairs has no meaning. */
const associatedDataOf = (context: EncryptionContext): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([one], [other]) => (one < other ? -1 : 1))));

/** Encrypts as KMS does with a symmetric key: nonce, authentication tag and ciphertext. */
export const encrypt = (plaintext: Uint8Array, context: EncryptionContext, key: KeyObject): Buffer => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(associatedDataOf(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
};

/** Decrypts a ciphertext. Throws {@link InvalidCiphertextError}. */
export const decrypt = (blob: Uint8Array, context: EncryptionContext, key: KeyObject): Buffer => {
  try {
    const decipher = createDecipheriv(CIPHER, key, blob.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(associatedDataOf(context))
      .setAuthTag(blob.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(blob.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new InvalidCiphertextError('the ciphertext cannot be decrypted', { cause: error });
  }
};
