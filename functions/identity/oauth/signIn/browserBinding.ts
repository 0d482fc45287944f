import { sha256Of } from '../../../platform/shared/hash.ts';

/** How long a user may take to sign in. */
export const SIGN_IN_SECONDS = 600;

/** The values that bind the response of the identity provider to one sign-in in one browser. */
export interface SignInBinding {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

const deriveValue = (purpose: string, secret: string): string =>
  sha256Of(purpose, secret).toString('base64url');

/**
 * Derives all binding values of a sign-in from one secret, which is stored only in a cookie of the browser. Reading our
 * tables or seeing the state in a URL is therefore not enough to complete a sign-in, and a response cannot be injected
 * into another browser (login CSRF).
 */
export const deriveBinding = (secret: string): SignInBinding => ({
  state: deriveValue('state', secret),
  nonce: deriveValue('nonce', secret),
  codeVerifier: deriveValue('verifier', secret),
});

/** One cookie per sign-in, so that several can be pending in one browser. */
const cookieName = (state: string, isHttps: boolean): string =>
  `${isHttps ? '__Host-' : ''}sign-in-${state.slice(0, 8)}`;

const serializeCookie = (name: string, value: string, seconds: number, isHttps: boolean): string =>
  [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    // Lax, because the provider redirects the browser back from another site.
    'SameSite=Lax',
    ...(isHttps ? ['Secure'] : []),
  ].join('; ');

export const signInCookie = (secret: string, isHttps: boolean): string =>
  serializeCookie(cookieName(deriveBinding(secret).state, isHttps), secret, SIGN_IN_SECONDS, isHttps);

export const expiredCookie = (state: string, isHttps: boolean): string =>
  serializeCookie(cookieName(state, isHttps), '', 0, isHttps);

/** The secret of the sign-in with this state, from the cookies of the browser that started it; null if there is none. */
export const findSignInSecret = (
  cookies: readonly string[],
  state: string,
  isHttps: boolean,
): string | null => {
  const prefix = `${cookieName(state, isHttps)}=`;
  const secrets = cookies
    .filter((cookie) => cookie.startsWith(prefix))
    .map((cookie) => cookie.slice(prefix.length));
  return secrets.find((secret) => deriveBinding(secret).state === state) ?? null;
};
