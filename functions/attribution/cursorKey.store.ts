/** The secret that authenticates cursors, or a failure to get it. */
export type CursorKey = () => Promise<Uint8Array>;

/**
 * Derives the cursor secret from the stack's HMAC key in KMS: the same in every function and after every restart,
 * and stored nowhere. Asked once; a failure is asked again.
 */
export const cursorKey = (keyId: string): CursorKey => {
  let known: Uint8Array | undefined;
  return async () => {
    if (known === undefined) {
      const { kms, GenerateMacCommand } = await import('../shared/kms.client.ts');
      const { Mac } = await kms.send(
        new GenerateMacCommand({
          KeyId: keyId,
          MacAlgorithm: 'HMAC_SHA_256',
          Message: Buffer.from('cursor 1'),
        }),
      );
      if (Mac === undefined) throw new Error('no key could be derived');
      known = Mac;
    }
    return known;
  };
};
