import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { Scope } from '../../schemas/access/scopes.ts';
import { base62, SECRET_LENGTH, Secrets } from './secret.ts';

/** An API key as it is stored. */
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
  /** When it was given its present secret, if not at its creation. */
  rotated_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime(),
  revoked_at: z.iso.datetime().nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** Which credentials an environment issues and takes: those of the other are refused. */
export type CredentialMode = 'live' | 'test';
export const credentialMode = (environment: 'production' | 'sandbox' | 'local'): CredentialMode =>
  environment === 'production' ? 'live' : 'test';

const CHECKSUM_LENGTH = 6;
const PATTERN = new RegExp(
  `^ask_(live|test)_([a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

/** Tells a typo from a wrong key without a look-up, and lets secret scanners recognise a key. Not a protection. */
const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_LENGTH);

/** The key as its holder sees it, once. `keyId` is the record's id without its prefix. */
export const formatApiKey = (mode: CredentialMode, keyId: string, secret: string): string => {
  const body = `ask_${mode}_${keyId}_${secret}`;
  return body + checksum(body);
};

export interface ParsedApiKey {
  readonly mode: string;
  readonly keyId: string;
  readonly secret: string;
}

/** Reads a key; null when it is malformed or its checksum does not fit. */
export const parseApiKey = (text: string): ParsedApiKey | null => {
  const [, mode, keyId, secret, sum] = PATTERN.exec(text) ?? [];
  if (mode === undefined || keyId === undefined || secret === undefined) return null;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === sum ? { mode, keyId, secret } : null;
};

/** What a key is worth at `now` (epoch milliseconds). Expiry counts whatever else happened to it. */
export const apiKeyState = (key: ApiKey, now: number): 'active' | 'rotating' | 'revoked' | 'expired' => {
  if (Date.parse(key.expires_at) <= now) return 'expired';
  if (key.revoked_at !== null) return 'revoked';
  const { previous } = key.secrets;
  return previous !== null && now < Date.parse(previous.valid_until) ? 'rotating' : 'active';
};
