import { sha256Of } from '../../shared/hash.ts';

/** How long a user may take to sign in, in seconds. */
export const SIGN_IN_SECONDS = 600;

/** What ties the identity provider's answer to one sign-in in one browser. */
export interface Ties {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

const derived = (purpose: string, secret: string): string => sha256Of(purpose, secret).toString('base64url');

/**
 * The ties of a sign-in all follow from one secret, which only the browser keeps, in a cookie. Who has read our tables,
 * or has seen the state in an address, can end no sign-in; nor can an answer be slipped to another browser (login CSRF).
 */
export const tiesOf = (secret: string): Ties => ({
  state: derived('state', secret),
  nonce: derived('nonce', secret),
  codeVerifier: derived('verifier', secret),
});

/** Each sign-in has its own, so that several can be under way in one browser. */
const cookieName = (state: string, isHttps: boolean): string =>
  `${isHttps ? '__Host-' : ''}sign-in-${state.slice(0, 8)}`;

const cookie = (name: string, value: string, seconds: number, isHttps: boolean): string =>
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
  cookie(cookieName(tiesOf(secret).state, isHttps), secret, SIGN_IN_SECONDS, isHttps);

export const endedCookie = (state: string, isHttps: boolean): string =>
  cookie(cookieName(state, isHttps), '', 0, isHttps);

/** The secret of the sign-in with this state, where it began in the browser that sends these cookies; else null. */
export const secretOf = (cookies: readonly string[], state: string, isHttps: boolean): string | null => {
  const prefix = `${cookieName(state, isHttps)}=`;
  const secrets = cookies.filter((sent) => sent.startsWith(prefix)).map((sent) => sent.slice(prefix.length));
  return secrets.find((secret) => tiesOf(secret).state === state) ?? null;
};
