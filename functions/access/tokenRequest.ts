import { ProblemError } from '../http/problem.ts';

/**
 * A refusal of the token endpoint: a problem that OAuth clients read as an RFC 6749 §5.2 error.
 * A 401 names the scheme to authenticate with, however the client tried (RFC 9110 §15.5.2).
 */
export const tokenError = (
  error: 'invalid_request' | 'invalid_client' | 'invalid_scope' | 'unsupported_grant_type',
  description: string,
): ProblemError =>
  new ProblemError(error === 'invalid_client' ? 'INVALID_CREDENTIALS' : 'INVALID_REQUEST', description, {
    members: { error, error_description: description },
    headers: error === 'invalid_client' ? { 'www-authenticate': 'Basic realm="token", charset="UTF-8"' } : {},
  });

/** Reads a form strictly: a repeated parameter is refused (RFC 6749 §3.2), since readers disagree on which one counts. */
export const readForm = (text: string): ReadonlyMap<string, string> => {
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (form.has(name)) throw tokenError('invalid_request', 'A parameter is repeated.');
    form.set(name, value);
  }
  return form;
};

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
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
export const readClientCredentials = (
  form: ReadonlyMap<string, string>,
  authorization: string | undefined,
): ClientCredentials => {
  const clientId = form.get('client_id');
  const clientSecret = form.get('client_secret');
  if (authorization !== undefined) {
    const basic = readBasic(authorization);
    if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
      throw tokenError('invalid_request', 'The client authenticates in two ways at once.');
    }
    return basic;
  }
  if (clientId === undefined || clientSecret === undefined) {
    throw tokenError('invalid_client', 'Client authentication is required.');
  }
  return { clientId, clientSecret };
};
