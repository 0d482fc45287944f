import { generateKeyPairSync, sign } from 'node:crypto';
import { SigningJwk, type TokenSigner } from '../../../functions/identity/access/tokens/signingKey.aws.ts';

/** Signs tokens with a new key in memory, in place of the key service. */
export const newSigner = (kid: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const jwk = SigningJwk.parse({ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' });
  const signer: TokenSigner = {
    publicKeys: async () => [jwk],
    signingKey: async () => ({
      kid,
      sign: async (input) =>
        sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
    }),
  };
  return { privateKey, publicKey, signer };
};

export const { privateKey, publicKey, signer } = newSigner('one');
