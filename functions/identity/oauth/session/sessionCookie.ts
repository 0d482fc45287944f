import { HOUR_SECONDS } from '../../../../schemas/durations.ts';
import { sessionIdOf } from '../../access/grant.store.ts';

/** How long a session lasts. The provider usually still knows the user then, so a new sign-in shows no page. */
export const SESSION_SECONDS = 12 * HOUR_SECONDS;

/**
 * The name of the session cookie at a base URL. Over https, the prefix makes browsers accept the cookie only with Secure,
 * for this host and from this host (RFC 6265bis §4.1.3.2). A local service has no https, and not every browser accepts
 * Secure cookies from a loopback address. Its port separates the local instances of one host, which share cookies.
 */
export const sessionCookieName = (baseUrl: string): string => {
  const { protocol, port } = new URL(baseUrl);
  return protocol === 'https:' ? '__Host-console-session' : `console-session-${port}`;
};

/** A Set-Cookie value. Strict: no request that another site starts carries the cookie. */
const serializeCookie = (baseUrl: string, value: string, seconds: number): string =>
  [
    `${sessionCookieName(baseUrl)}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(baseUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');

export const sessionCookie = (baseUrl: string, secret: string): string =>
  serializeCookie(baseUrl, secret, SESSION_SECONDS);

export const expiredSessionCookie = (baseUrl: string): string => serializeCookie(baseUrl, '', 0);

/** The id of the session in the cookies of a browser; null if it has none. */
export const readSessionId = (cookies: readonly string[], baseUrl: string): string | null => {
  const prefix = `${sessionCookieName(baseUrl)}=`;
  const secret = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
  return secret === undefined || secret === '' ? null : sessionIdOf(secret);
};
