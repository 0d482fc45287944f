import type { Grant } from '../access/grant.ts';
import { SECRET_LENGTH, secretMatches } from '../access/secret.ts';

const PATTERN = new RegExp(`^art_([a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25})_([0-9A-Za-z]{${SECRET_LENGTH}})$`);

/** A refresh token as its client sees it, once. It names its grant, so that an older one is known for what it is. */
export const formatRefreshToken = (grantId: string, secret: string): string =>
  `art_${grantId.slice('grt_'.length)}_${secret}`;

export interface ParsedRefreshToken {
  readonly grantId: string;
  readonly secret: string;
}

/** Null for what is no refresh token. */
export const parseRefreshToken = (text: string): ParsedRefreshToken | null => {
  const [, id, secret] = PATTERN.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { grantId: `grt_${id}`, secret };
};

/**
 * What a refresh token is worth at `now` (epoch milliseconds). Each works once. An older one in its own client's hands
 * means that two parties hold what one was given, and nobody can tell which is the thief (RFC 9700 §4.14.2).
 */
export const validateRefreshToken = (
  grant: Grant | null,
  { clientId, secret }: { readonly clientId: string; readonly secret: string },
  now: number,
): 'good' | 'reused' | 'worthless' => {
  if (grant === null || grant.refresh === null || grant.client_id !== clientId) return 'worthless';
  if (grant.revoked_at !== null || grant.expires_at <= now) return 'worthless';
  return secretMatches({ current: grant.refresh, previous: null }, secret, now) ? 'good' : 'reused';
};
