import type { OAuthClient } from '../../access/principals/client.ts';
import { secretMatches } from '../../access/principals/secret.ts';
import { type Form, tokenError } from './tokenRequest.ts';

export interface ClientCredentials {
  readonly clientId: string;
  /** Null if the client sends only its id, as public clients do. */
  readonly clientSecret: string | null;
}

const formDecode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw tokenError('invalid_client', 'The client credentials in the Authorization header are malformed.');
  }
};

/** Parses HTTP Basic (RFC 6749 §2.3.1): both parts form-encoded, then base64. Only canonical base64 is accepted. */
const readBasic = (authorization: string): ClientCredentials => {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1] ?? '';
  const decoded = Buffer.from(encoded, 'base64');
  const text = decoded.toString('utf8');
  const colon = text.indexOf(':');
  if (encoded === '' || decoded.toString('base64') !== encoded || colon === -1) {
    throw tokenError('invalid_client', 'The client credentials in the Authorization header are malformed.');
  }
  return {
    clientId: formDecode(text.slice(0, colon)),
    clientSecret: formDecode(text.slice(colon + 1)),
  };
};

/**
 * The client credentials from HTTP Basic or from the form. Throws invalid_request if both are sent (RFC 6749 §2.3), and
 * invalid_client if none is sent.
 */
export const readClientCredentials = (form: Form, authorization: string | undefined): ClientCredentials => {
  const clientId = form.get('client_id');
  const clientSecret = form.get('client_secret');
  if (authorization !== undefined) {
    const basic = readBasic(authorization);
    if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
      throw tokenError(
        'invalid_request',
        'The request authenticates the client twice. Use HTTP Basic or form parameters, not both.',
      );
    }
    return basic;
  }
  if (clientId === undefined) throw tokenError('invalid_client', 'Client authentication is required.');
  return { clientId, clientSecret: clientSecret ?? null };
};

/**
 * Whether the credentials are valid at `now` (epoch milliseconds). A public client has no secret and must send none; its
 * requests rely on redirect URIs and PKCE. A missing client takes as long as a wrong secret.
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
