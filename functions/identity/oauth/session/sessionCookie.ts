import { DAY_SECONDS, HOUR_SECONDS } from '../../../../schemas/durations.ts';
import { sessionIdOf } from '../../access/grants/grant.store.ts';

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

/** How long a browser remembers the tenant of its last session: as long as browsers keep a cookie. */
const TENANT_SECONDS = 400 * DAY_SECONDS;

interface CookieAttributes {
  readonly seconds: number;
  readonly sameSite: 'Strict' | 'Lax';
}

/** A Set-Cookie value. */
const serializeCookie = (
  baseUrl: string,
  name: string,
  value: string,
  { seconds, sameSite }: CookieAttributes,
): string =>
  [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(baseUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');

/** Strict: no request that another site starts carries the cookie. */
const serializeSession = (baseUrl: string, value: string, seconds: number): string =>
  serializeCookie(baseUrl, sessionCookieName(baseUrl), value, { seconds, sameSite: 'Strict' });

export const sessionCookie = (baseUrl: string, secret: string): string =>
  serializeSession(baseUrl, secret, SESSION_SECONDS);

export const expiredSessionCookie = (baseUrl: string): string => serializeSession(baseUrl, '', 0);

const tenantCookieName = (baseUrl: string): string =>
  sessionCookieName(baseUrl).replace('console-session', 'console-tenant');

/**
 * The tenant in which the person works in this browser. Lax, because the redirect of the identity provider needs it. It
 * gives no access: it only chooses among the tenants of the person.
 */
export const tenantCookie = (baseUrl: string, tenantId: string): string =>
  serializeCookie(baseUrl, tenantCookieName(baseUrl), tenantId, { seconds: TENANT_SECONDS, sameSite: 'Lax' });

const cookieIn = (cookies: readonly string[], name: string): string | undefined => {
  const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
  return value === '' ? undefined : value;
};

/** The tenant that the browser remembers. */
export const readTenantId = (cookies: readonly string[], baseUrl: string): string | undefined =>
  cookieIn(cookies, tenantCookieName(baseUrl));

/** The id of the session in the cookies of a browser; null if it has none. */
export const readSessionId = (cookies: readonly string[], baseUrl: string): string | null => {
  const secret = cookieIn(cookies, sessionCookieName(baseUrl));
  return secret === undefined ? null : sessionIdOf(secret);
};
