import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { Scope } from '../../../../schemas/identity/scopes.ts';
import { base62, SECRET_LENGTH, Secrets } from './secret.ts';

/** An API key as stored. */
export const ApiKey = z.object({
  key_id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  scopes: z.array(Scope).min(1),
  residency: z.string().nullable(),
  secrets: Secrets,
  /** Id of the key, client or user that created it, or `operator`. */
  created_by: z.string(),
  created_at: z.iso.datetime(),
  /** When the current secret was issued; null if the key was never rotated. */
  rotated_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime(),
  revoked_at: z.iso.datetime().nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** The mode of an environment. It issues and accepts only credentials of its own mode. */
export type CredentialMode = 'live' | 'test';
export const credentialMode = (environment: 'production' | 'sandbox' | 'local'): CredentialMode =>
  environment === 'production' ? 'live' : 'test';

const CHECKSUM_LENGTH = 6;
const PATTERN = new RegExp(
  `^ask_(live|test)_([a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

/** Detects typing errors without a lookup and lets secret scanners recognize a key. Not a security measure. */
const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_LENGTH);

/** The key text, which the creator receives once. `keyId` is the id of the record without its prefix. */
export const formatApiKey = (mode: CredentialMode, keyId: string, secret: string): string => {
  const body = `ask_${mode}_${keyId}_${secret}`;
  return body + checksum(body);
};

export interface ParsedApiKey {
  readonly mode: string;
  readonly keyId: string;
  readonly secret: string;
}

/** Parses a key text. Null if it is malformed or its checksum is wrong. */
export const parseApiKey = (text: string): ParsedApiKey | null => {
  const [, mode, keyId, secret, actualChecksum] = PATTERN.exec(text) ?? [];
  if (mode === undefined || keyId === undefined || secret === undefined) return null;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === actualChecksum ? { mode, keyId, secret } : null;
};

/** The state of a key at `now` (epoch milliseconds). Expiry takes precedence over revocation. */
export const apiKeyState = (key: ApiKey, now: number): 'active' | 'rotating' | 'revoked' | 'expired' => {
  if (Date.parse(key.expires_at) <= now) return 'expired';
  if (key.revoked_at !== null) return 'revoked';
  const { previous } = key.secrets;
  return previous !== null && now < Date.parse(previous.valid_until) ? 'rotating' : 'active';
};
