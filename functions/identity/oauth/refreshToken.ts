import type { Grant } from '../access/grants/grant.ts';
import {
  hashSecret,
  newSecret,
  type Random,
  SECRET_LENGTH,
  type SecretHash,
  secretMatches,
} from '../access/principals/secret.ts';

/**
 * The first part of a secret is common to all refresh tokens of a grant, and the rest is new in each: 125 and 131 random
 * bits. The grant id is public, so only the family tells a token that was replaced from one that was never issued.
 */
const FAMILY_LENGTH = 21;
const familyOf = (secret: string): string => secret.slice(0, FAMILY_LENGTH);

/** The secret of the token that replaces one with `secret`. */
export const nextRefreshSecret = (secret: string, random: Random): string =>
  familyOf(secret) + newSecret(random).slice(FAMILY_LENGTH);

/** What a grant stores of the secret of its refresh token. */
export const hashRefreshSecret = (secret: string, random: Random): NonNullable<Grant['refresh']> => ({
  ...hashSecret(secret, random),
  family: hashSecret(familyOf(secret), random),
});

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
 * from the client (RFC 9700 §4.14.2). A token that was never issued is `invalid`, and revokes nothing.
 */
export const validateRefreshToken = (
  grant: Grant | null,
  { clientId, secret }: { readonly clientId: string; readonly secret: string },
  now: number,
): 'valid' | 'reused' | 'invalid' => {
  if (grant === null || grant.refresh === null || grant.client_id !== clientId) return 'invalid';
  if (grant.revoked_at !== null || grant.expires_at <= now) return 'invalid';
  const matches = (current: SecretHash, text: string) =>
    secretMatches({ current, previous: null }, text, now);
  if (matches(grant.refresh, secret)) return 'valid';
  return matches(grant.refresh.family, familyOf(secret)) ? 'reused' : 'invalid';
};
