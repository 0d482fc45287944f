import { ulidInId } from '../../../platform/shared/ids.ts';

/** The key and the source that a ciphertext belongs to: a copy in another source cannot be decrypted. */
const contextOf = (sourceId: string) => ({ source: ulidInId(sourceId) });

/** Encrypts the credential of a provider for a source, in KMS. */
export type SealCredential = (credential: string, sourceId: string) => Promise<string>;
/** Decrypts the credential of a source. Null if it was encrypted with another key or for another source. */
export type OpenCredential = (sealed: string, sourceId: string) => Promise<string | null>;

/** For functions that may encrypt, but not decrypt. */
export const credentialSealer =
  (keyId: string): SealCredential =>
  async (credential, sourceId) => {
    const { kms, EncryptCommand } = await import('../../../platform/shared/aws/kms.client.ts');
    const { CiphertextBlob } = await kms.send(
      new EncryptCommand({
        KeyId: keyId,
        Plaintext: Buffer.from(credential),
        EncryptionContext: contextOf(sourceId),
      }),
    );
    if (CiphertextBlob === undefined) throw new Error('KMS returned no ciphertext');
    return Buffer.from(CiphertextBlob).toString('base64');
  };

/** For functions that may decrypt, but not encrypt. */
export const credentialOpener =
  (keyId: string): OpenCredential =>
  async (sealed, sourceId) => {
    const { kms, DecryptCommand, InvalidCiphertextException } = await import(
      '../../../platform/shared/aws/kms.client.ts'
    );
    try {
      const { Plaintext } = await kms.send(
        new DecryptCommand({
          KeyId: keyId,
          CiphertextBlob: Buffer.from(sealed, 'base64'),
          EncryptionContext: contextOf(sourceId),
        }),
      );
      return Plaintext === undefined ? null : Buffer.from(Plaintext).toString();
    } catch (error) {
      if (error instanceof InvalidCiphertextException) return null;
      throw error;
    }
  };
