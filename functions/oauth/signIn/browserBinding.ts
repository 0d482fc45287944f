import { sha256Of } from '../../shared/hash.ts';

/** How long a user may take to sign in, in seconds. */
export const SIGN_IN_SECONDS = 600;

/** What ties the identity provider's answer to one sign-in in one browser. */
export interface SignInBinding {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

const deriveValue = (purpose: string, secret: string): string =>
  sha256Of(purpose, secret).toString('base64url');

/**
 * The ties of a sign-in all follow from one secret, which only the browser keeps, in a cookie. Who has read our tables,
 * or has seen the state in an address, can end no sign-in; nor can an answer be slipped to another browser (login CSRF).
 */
export const deriveBinding = (secret: string): SignInBinding => ({
  state: deriveValue('state', secret),
  nonce: deriveValue('nonce', secret),
  codeVerifier: deriveValue('verifier', secret),
});

/** Each sign-in has its own, so that several can be under way in one browser. */
const cookieName = (state: string, isHttps: boolean): string =>
  `${isHttps ? '__Host-' : ''}sign-in-${state.slice(0, 8)}`;

const serializeCookie = (name: string, value: string, seconds: number, isHttps: boolean): string =>
  [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    // Lax, since the provider sends the browser back from another site.
    'SameSite=Lax',
    ...(isHttps ? ['Secure'] : []),
  ].join('; ');

export const signInCookie = (secret: string, isHttps: boolean): string =>
  serializeCookie(cookieName(deriveBinding(secret).state, isHttps), secret, SIGN_IN_SECONDS, isHttps);

export const expiredCookie = (state: string, isHttps: boolean): string =>
  serializeCookie(cookieName(state, isHttps), '', 0, isHttps);

/** The secret of the sign-in with this state, where it began in the browser that sends these cookies; else null. */
export const findSignInSecret = (
  cookies: readonly string[],
  state: string,
  isHttps: boolean,
): string | null => {
  const prefix = `${cookieName(state, isHttps)}=`;
  const secrets = cookies.filter((sent) => sent.startsWith(prefix)).map((sent) => sent.slice(prefix.length));
  return secrets.find((secret) => deriveBinding(secret).state === state) ?? null;
};
