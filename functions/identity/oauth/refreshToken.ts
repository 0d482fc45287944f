import type { Grant } from '../access/grant.ts';
import { SECRET_LENGTH, secretMatches } from '../access/secret.ts';

const PATTERN = new RegExp(`^art_([a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25})_([0-9A-Za-z]{${SECRET_LENGTH}})$`);

/**
 * The text of a refresh token, which the client receives once. It contains the grant id, so that reuse of an old one is
 * detected.
 */
export const formatRefreshToken = (grantId: string, secret: string): string =>
  `art_${grantId.slice('grt_'.length)}_${secret}`;

export interface ParsedRefreshToken {
  readonly grantId: string;
  readonly secret: string;
}

/** Parses a refresh token. Null for any other text. */
export const parseRefreshToken = (text: string): ParsedRefreshToken | null => {
  const [, id, secret] = PATTERN.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { grantId: `grt_${id}`, secret };
};

/**
 * The validity of a refresh token at `now` (epoch milliseconds). Each token is valid once. `reused` means that the right
 * client presents a replaced token: two parties hold the same token, and the service cannot distinguish the thief
 * from the client (RFC 9700 §4.14.2).
 */
export const validateRefreshToken = (
  grant: Grant | null,
  { clientId, secret }: { readonly clientId: string; readonly secret: string },
  now: number,
): 'valid' | 'reused' | 'invalid' => {
  if (grant === null || grant.refresh === null || grant.client_id !== clientId) return 'invalid';
  if (grant.revoked_at !== null || grant.expires_at <= now) return 'invalid';
  return secretMatches({ current: grant.refresh, previous: null }, secret, now) ? 'valid' : 'reused';
};
