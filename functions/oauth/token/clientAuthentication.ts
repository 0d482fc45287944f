import type { OAuthClient } from '../../access/client.ts';
import { secretMatches } from '../../access/secret.ts';
import { type Form, tokenError } from './tokenRequest.ts';

export interface ClientCredentials {
  readonly clientId: string;
  /** Null where the client only names itself, as a public client does. */
  readonly clientSecret: string | null;
}

const formDecode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw tokenError('invalid_client', 'The client credentials cannot be read.');
  }
};

/** HTTP Basic as RFC 6749 §2.3.1 has it: both halves form-encoded, then base64 in its one canonical spelling. */
const readBasic = (authorization: string): ClientCredentials => {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1] ?? '';
  const decoded = Buffer.from(encoded, 'base64');
  const text = decoded.toString('utf8');
  const colon = text.indexOf(':');
  if (encoded === '' || decoded.toString('base64') !== encoded || colon === -1) {
    throw tokenError('invalid_client', 'The client credentials cannot be read.');
  }
  return {
    clientId: formDecode(text.slice(0, colon)),
    clientSecret: formDecode(text.slice(colon + 1)),
  };
};

/** How the client authenticates: by HTTP Basic or in the form, never both (RFC 6749 §2.3). */
export const readClientCredentials = (form: Form, authorization: string | undefined): ClientCredentials => {
  const clientId = form.get('client_id');
  const clientSecret = form.get('client_secret');
  if (authorization !== undefined) {
    const basic = readBasic(authorization);
    if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
      throw tokenError('invalid_request', 'The client authenticates in two ways at once.');
    }
    return basic;
  }
  if (clientId === undefined) throw tokenError('invalid_client', 'Client authentication is required.');
  return { clientId, clientSecret: clientSecret ?? null };
};

/**
 * Whether a client is who it says at `now` (epoch milliseconds). A public client has no secret and may bring none: what
 * it then does rests on its redirect URIs and PKCE alone. An absent client takes as long as one with another secret.
 */
export const isAuthentic = (
  client: OAuthClient | null,
  { clientSecret }: Pick<ClientCredentials, 'clientSecret'>,
  now: number,
): client is OAuthClient => {
  const hasSecret = secretMatches(client?.secrets ?? null, clientSecret ?? '', now);
  if (client === null || client.deleted_at !== null) return false;
  return client.secrets === null ? clientSecret === null : hasSecret;
};
