import type { Reply } from '../../../platform/http/reply.ts';
import type { AuthorizationError } from './authorizationError.ts';

/** A redirect without a Referer, because the current URL may contain a code or a state. */
export const redirect = (location: string, ...cookies: readonly string[]): Reply => ({
  status: 302,
  headers: { location, 'referrer-policy': 'no-referrer' },
  body: undefined,
  cookies,
});

/** Where the authorization response is sent. */
export interface RedirectTarget {
  /** A redirect URI that the client has registered. */
  readonly redirectUri: string;
  /** The `state` of the client; null if it sent none. */
  readonly state: string | null;
}

/**
 * The URI of the authorization response (RFC 6749 §4.1.2, RFC 9207). The query is appended as text, because parsing and
 * serializing a URL can change it.
 */
export const authorizationResponseUri = (
  { redirectUri, state }: RedirectTarget,
  issuer: string,
  answer: { readonly code: string } | AuthorizationError,
): string => {
  const members = 'code' in answer ? answer : { error: answer.error, error_description: answer.description };
  const query = new URLSearchParams({ ...members, ...(state !== null && { state }), iss: issuer });
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
};
