import type { Reply } from '../../http/reply.ts';
import type { AuthorizationError } from './authorizationError.ts';

/** Sends the browser on. The address it leaves may hold a code or a state, so it is told to nobody. */
export const redirect = (location: string, ...cookies: readonly string[]): Reply => ({
  status: 302,
  headers: { location, 'referrer-policy': 'no-referrer' },
  body: undefined,
  cookies,
});

/** Where a client waits for its answer. */
export interface RedirectTarget {
  /** One that the client registered. */
  readonly redirectUri: string;
  /** The client's own; null when it sent none. */
  readonly state: string | null;
}

/**
 * The address that carries the answer of `issuer` to a client (RFC 6749 §4.1.2, RFC 9207). Its query is added to, as
 * text: a URL taken apart and put together again may be another one.
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
