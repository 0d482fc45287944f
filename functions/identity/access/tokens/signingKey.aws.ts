import { createPublicKey } from 'node:crypto';
import * as z from 'zod';
import type { KeySchedule } from '../../../../schemas/platform/keySchedule.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { publishedKeysAt, signingKeyAt } from './keySchedule.ts';

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
  /** The keys that verify tokens at present. */
  readonly publicKeys: () => Promise<readonly SigningJwk[]>;
}

/** The current signing key. `kid` and `sign` belong to the same key, because the signed header contains the `kid`. */
export interface SigningKey {
  readonly kid: string;
  /** JWS signature (RFC 7518 §3.4: R and S, 64 bytes) over the signing input. The private key stays in KMS. */
  readonly sign: (signingInput: string) => Promise<Uint8Array>;
}

export interface TokenSigner extends KeySet {
  readonly signingKey: () => Promise<SigningKey>;
}

/** The KMS operations on a key, by its ARN. */
export interface KeyService {
  /** SubjectPublicKeyInfo (RFC 5280) in DER. */
  readonly publicKey: (keyId: string) => Promise<Uint8Array>;
  /** ES256 signature in DER. */
  readonly sign: (keyId: string, message: Uint8Array) => Promise<Uint8Array>;
}

const COORDINATE_BYTES = 32;

/** Converts an ECDSA signature from DER (RFC 3279), as KMS returns it, to JWS: R and S, each left-padded to 32 bytes. */
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

/** Loaded on first use: most callers send an API key, so most cold starts do not need KMS. */
const loadKms = () => import('../../../platform/shared/aws/kms.client.ts');

const keyService: KeyService = {
  publicKey: async (keyId) => {
    const { kms, GetPublicKeyCommand } = await loadKms();
    const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId: keyId }));
    return PublicKey ?? new Uint8Array();
  },
  sign: async (keyId, message) => {
    const { kms, SignCommand } = await loadKms();
    const { Signature } = await kms.send(
      new SignCommand({
        KeyId: keyId,
        Message: message,
        MessageType: 'RAW',
        SigningAlgorithm: 'ECDSA_SHA_256',
      }),
    );
    return Signature ?? new Uint8Array();
  },
};

const publicJwkOf = async (der: Uint8Array): Promise<SigningJwk> => {
  const { calculateJwkThumbprint } = await import('jose');
  const jwk = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' }).export({
    format: 'jwk',
  });
  return SigningJwk.parse({ ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' });
};

/**
 * Access to the scheduled signing keys of the stack. A public key is fetched on first use and then cached. A failure is
 * not cached.
 */
export const tokenSigner = (
  schedule: KeySchedule,
  clock: Clock,
  service: KeyService = keyService,
): TokenSigner => {
  const publicKeyCache = new Map<string, Promise<SigningJwk>>();

  const loadPublicKey = async (keyId: string): Promise<SigningJwk> => {
    const pending = publicKeyCache.get(keyId) ?? service.publicKey(keyId).then(publicJwkOf);
    publicKeyCache.set(keyId, pending);
    try {
      return await pending;
    } catch (error) {
      publicKeyCache.delete(keyId);
      throw error;
    }
  };

  return {
    publicKeys: () =>
      Promise.all(publishedKeysAt(schedule, clock()).map(({ keyId }) => loadPublicKey(keyId))),
    signingKey: async () => {
      const { keyId } = signingKeyAt(schedule, clock());
      const { kid } = await loadPublicKey(keyId);
      return {
        kid,
        sign: async (signingInput) =>
          joseSignatureOf(await service.sign(keyId, Buffer.from(signingInput, 'ascii'))),
      };
    },
  };
};
