/** A secret derived from one of the stack's HMAC keys, or a failure to get it. */
export type DerivedKey = () => Promise<Uint8Array>;

/**
 * Derives a secret from an HMAC key in KMS: the same in every function and after every restart, and stored nowhere.
 * `label` tells one secret of a key from another. Asked once; a failure is asked again.
 */
export const derivedKey = (keyId: string, label: string): DerivedKey => {
  let known: Uint8Array | undefined;
  return async () => {
    if (known === undefined) {
      const { kms, GenerateMacCommand } = await import('./kms.client.ts');
      const { Mac } = await kms.send(
        new GenerateMacCommand({ KeyId: keyId, MacAlgorithm: 'HMAC_SHA_256', Message: Buffer.from(label) }),
      );
      if (Mac === undefined) throw new Error('no key could be derived');
      known = Mac;
    }
    return known;
  };
};
