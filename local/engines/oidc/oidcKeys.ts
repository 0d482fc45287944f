import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../../jsonFile.ts';

const Keys = z.strictObject({
  /** Authenticates the provider's cookies. */
  cookies: z.string(),
  /** The private key that signs ID tokens, with RS256 as in a Cognito user pool. */
  tokens: z.looseObject({ kty: z.literal('RSA'), alg: z.literal('RS256'), use: z.literal('sig') }),
});
export type OidcKeys = z.output<typeof Keys>;

/** Opens or generates the provider's keys. They are kept, so an ID token signed before a restart still verifies. */
export async function openOidcKeys(file: string): Promise<OidcKeys> {
  const stored = readJsonFile(file, Keys);
  if (stored) return stored;
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const created = Keys.parse({
    cookies: randomBytes(32).toString('base64url'),
    tokens: { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' },
  });
  writeJsonFile(file, created);
  return created;
}
