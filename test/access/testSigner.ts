import { generateKeyPairSync, sign } from 'node:crypto';
import { SigningJwk, type TokenSigner } from '../../functions/access/signingKey.store.ts';

export const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const jwk = SigningJwk.parse({
  ...publicKey.export({ format: 'jwk' }),
  kid: 'one',
  alg: 'ES256',
  use: 'sig',
});
/** Signs tokens with a key in memory, in place of the key service. */
export const signer: TokenSigner = {
  publicKeys: async () => [jwk],
  signingKey: async () => ({
    kid: jwk.kid,
    sign: async (input) => sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  }),
};
