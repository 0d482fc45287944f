import * as z from 'zod';

export const grantTypes = ['client_credentials', 'authorization_code', 'refresh_token'] as const;
export const GrantType = z.enum(grantTypes);
export type GrantType = z.infer<typeof GrantType>;

/** The client authentication methods of the token endpoint (RFC 7591 §2). `none` is for public clients. */
export const clientAuthentications = ['client_secret_basic', 'client_secret_post', 'none'] as const;
export const ClientAuthentication = z.enum(clientAuthentications);

/** The characters of RFC 3986 except `#` and `*`: none that URL parsers strip, normalize or replace. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
/** URL parsers disagree on whether `https:host` and `https:///host` contain a host or a path. */
const WITH_AUTHORITY = /^https?:\/\/[^/?]/;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a text is an allowed redirect URI: https, http on a loopback host, or a private-use scheme, which must be a
 * reversed domain name (RFC 8252 §7.1). No fragment (RFC 6749 §3.1.2) and no user info.
 */
export const isRedirectUri = (text: string): boolean => {
  if (!URI_CHARACTERS.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, href } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return WITH_AUTHORITY.test(text);
  if (protocol === 'http:') return WITH_AUTHORITY.test(text) && LOOPBACK.has(hostname);
  return /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/.test(protocol) && href.length > protocol.length;
};

export const RedirectUri = z
  .string()
  .max(512)
  .refine(isRedirectUri, 'must be an https URI, http on a loopback host, or a private-use scheme with a dot')
  .meta({ description: 'Compared character by character', example: 'https://app.example.com/callback' });
