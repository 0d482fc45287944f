import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from './oidcFiles.ts';

const Keys = z.strictObject({
  /** Authenticates the provider's cookies. */
  cookies: z.string(),
  /** The private key of ID tokens. RS256, as a user pool signs. */
  tokens: z.looseObject({ kty: z.literal('RSA'), alg: z.literal('RS256'), use: z.literal('sig') }),
});
export type OidcKeys = z.output<typeof Keys>;

/** The provider's keys, made once and kept: an ID token signed before a restart verifies after it. */
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
