import { createPublicKey } from 'node:crypto';
import * as z from 'zod';

/** The public half of a signing key, as published. `kid` is its RFC 7638 thumbprint. */
export const SigningJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
});
export type SigningJwk = z.infer<typeof SigningJwk>;

export interface KeySet {
  /** The keys that verify tokens now. */
  readonly publicKeys: () => Promise<readonly SigningJwk[]>;
}

export interface TokenSigner extends KeySet {
  /** JWS signature (RFC 7518 §3.4: R and S, 64 bytes) over the signing input. The private key stays in KMS. */
  readonly sign: (signingInput: string) => Promise<Uint8Array>;
}

const COORDINATE_BYTES = 32;

/** KMS answers in DER (RFC 3279), JWS wants the two integers side by side, each left-padded to 32 bytes. */
export const joseSignatureOf = (der: Uint8Array): Uint8Array => {
  const integerAt = (offset: number) => {
    const length = der[offset + 1] ?? 0;
    const end = offset + 2 + length;
    const digits = der.subarray(Math.max(offset + 2, end - COORDINATE_BYTES), end);
    return { digits, end };
  };
  const r = integerAt(2);
  const s = integerAt(r.end);
  const signature = new Uint8Array(2 * COORDINATE_BYTES);
  signature.set(r.digits, COORDINATE_BYTES - r.digits.length);
  signature.set(s.digits, 2 * COORDINATE_BYTES - s.digits.length);
  return signature;
};

/** Loaded on first use: most callers bring an API key, and a cold start should not pay for what it does not need. */
const loadKms = () => import('../shared/kms.client.ts');

const publicJwk = async (keyId: string): Promise<SigningJwk> => {
  const [{ kms, GetPublicKeyCommand }, { calculateJwkThumbprint }] = await Promise.all([
    loadKms(),
    import('jose'),
  ]);
  const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId: keyId }));
  const key = createPublicKey({ key: Buffer.from(PublicKey ?? []), format: 'der', type: 'spki' });
  const jwk = key.export({ format: 'jwk' });
  return SigningJwk.parse({ ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' });
};

/** Access to the stack's signing key in KMS. The public half is asked once and kept; a failure is asked again. */
export const tokenSigner = (keyId: string): TokenSigner => {
  let known: SigningJwk | undefined;
  return {
    publicKeys: async () => {
      known ??= await publicJwk(keyId);
      return [known];
    },
    sign: async (signingInput) => {
      const { kms, SignCommand } = await loadKms();
      const { Signature } = await kms.send(
        new SignCommand({
          KeyId: keyId,
          Message: Buffer.from(signingInput, 'ascii'),
          MessageType: 'RAW',
          SigningAlgorithm: 'ECDSA_SHA_256',
        }),
      );
      return joseSignatureOf(Signature ?? new Uint8Array());
    },
  };
};
