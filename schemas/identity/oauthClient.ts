import * as z from 'zod';

export const grantTypes = ['client_credentials', 'authorization_code', 'refresh_token'] as const;
export const GrantType = z.enum(grantTypes);
export type GrantType = z.infer<typeof GrantType>;

/** The client authentication methods of the token endpoint (RFC 7591 §2). `none` is for public clients. */
export const clientAuthentications = ['client_secret_basic', 'client_secret_post', 'none'] as const;
export const ClientAuthentication = z.enum(clientAuthentications);

/**
 * The characters of RFC 3986 except `#` and `*`: none that URL parsers strip, normalize or replace. URL parsers disagree on
 * whether `https:host` and `https:///host` contain a host or a path.
 */
const FORM =
  /^(?:https?:\/\/[A-Za-z0-9\-._~:[\]@!$&'()+,;=%]|[A-Za-z][A-Za-z0-9+-]*(?:\.[A-Za-z0-9+-]+)+:)[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]*$/;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a text is an allowed redirect URI: https, http on a loopback host, or a private-use scheme, which must be a
 * reversed domain name (RFC 8252 §7.1). No fragment (RFC 6749 §3.1.2) and no user info.
 */
export const isRedirectUri = (text: string): boolean => {
  if (!FORM.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, href } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return true;
  if (protocol === 'http:') return LOOPBACK.has(hostname);
  return href.length > protocol.length;
};

const REDIRECT_URI = 'must be an https URI, http on a loopback host, or a private-use scheme with a dot';

export const RedirectUri = z
  .string()
  .max(512)
  .regex(FORM, { error: REDIRECT_URI, abort: true })
  .refine(isRedirectUri, REDIRECT_URI)
  .meta({ description: 'Compared character by character', example: 'https://app.example.com/callback' });
