/** Returns a secret derived from an HMAC key of the stack. Rejects if KMS cannot be reached. */
export type DerivedKey = () => Promise<Uint8Array>;

/**
 * Derives a secret from an HMAC key in KMS. The result is the same in every function and after every restart, and it
 * is stored nowhere. `label` separates the secrets of one key. A success is cached; a failure is retried.
 */
export const derivedKey = (keyId: string, label: string): DerivedKey => {
  let cached: Uint8Array | undefined;
  return async () => {
    if (cached === undefined) {
      const { kms, GenerateMacCommand } = await import('./kms.client.ts');
      const { Mac } = await kms.send(
        new GenerateMacCommand({ KeyId: keyId, MacAlgorithm: 'HMAC_SHA_256', Message: Buffer.from(label) }),
      );
      if (Mac === undefined) throw new Error('KMS returned no MAC, so no key could be derived');
      cached = Mac;
    }
    return cached;
  };
};
