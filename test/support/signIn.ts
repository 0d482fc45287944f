import { randomBytes } from 'node:crypto';
import { challengeOf } from '../../functions/oauth/pkce.ts';
import { Browser, type BrowserPage } from '../local/engines/browser.ts';
import { type Answer, call } from './client.ts';
import type { Instance } from './instance.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
}

export interface Client {
  readonly client_id: string;
  readonly client_secret: string | null;
}

/** Never opened: a browser of these tests stops where it leaves this machine. */
export const REDIRECT_URI = 'https://app.example.com/callback';

const CLIENT = {
  name: 'an application',
  scopes: ['read:attribution', 'read:reporting', 'admin:config'],
  redirect_uris: [REDIRECT_URI],
};

/** A client that signs users in and may refresh, unless `members` say otherwise. */
export const registerClient = async (
  { baseUrl, credentials }: Instance,
  members: Record<string, unknown> = {},
  tenant = 0,
): Promise<Client> => {
  const key = credentials.tenants[tenant]?.api_keys.admin ?? '';
  const answer = await call(baseUrl, '/api/v1/oauth-clients', { key, body: { ...CLIENT, ...members } });
  if (answer.status !== 201) throw new Error(`the client was refused: ${answer.text}`);
  const { client_id, client_secret } = answer.body;
  return {
    client_id: String(client_id),
    client_secret: client_secret === null ? null : String(client_secret),
  };
};

export const newVerifier = (): string => randomBytes(32).toString('base64url');

/** The address that begins a sign-in; an undefined parameter is left out. */
export const authorizeUrl = (
  baseUrl: string,
  { client_id }: Client,
  verifier: string,
  parameters: Record<string, string | undefined> = {},
): URL => {
  const url = new URL('/v1/oauth/authorize', baseUrl);
  const all = {
    response_type: 'code',
    client_id,
    redirect_uri: REDIRECT_URI,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    state: 'the state',
    ...parameters,
  };
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
};

const isForm = ({ html }: BrowserPage): boolean => html.includes('name="password"');
/** Whether the browser was sent on to another server of this machine, which it does not open by itself. */
const isLocalRedirect = ({ status, url }: BrowserPage): boolean =>
  status >= 300 && status < 400 && url.protocol === 'http:';

/** Opens an address and goes wherever it leads, through the provider's form, until it leaves this machine or stays. */
export const completeSignIn = async (
  browser: Browser,
  start: URL,
  person: Person,
  /** Where an address is to be opened instead, for a service that has a name of its own. */
  standIn: (url: URL) => URL = (url) => url,
): Promise<BrowserPage> => {
  let shown = await browser.open(standIn(start));
  for (;;) {
    if (isForm(shown)) shown = await browser.open(shown.url, { ...person });
    else if (isLocalRedirect({ ...shown, url: standIn(shown.url) }))
      shown = await browser.open(standIn(shown.url));
    else return shown;
  }
};

export interface CodeWithVerifier {
  readonly code: string;
  readonly verifier: string;
}

/** A code of the client, for a person who signs in, in a browser that may have a session already. */
export const newCode = async (
  { baseUrl }: Instance,
  client: Client,
  person: Person,
  options: { readonly browser?: Browser; readonly parameters?: Record<string, string | undefined> } = {},
): Promise<CodeWithVerifier> => {
  const verifier = newVerifier();
  const start = authorizeUrl(baseUrl, client, verifier, options.parameters);
  const { url, html } = await completeSignIn(options.browser ?? new Browser(), start, person);
  const code = url.searchParams.get('code');
  if (code === null) throw new Error(`no code, but ${url} ${html}`);
  return { code, verifier };
};

/** Posts a form to an OAuth endpoint as the client, which proves itself in the form. */
export const post = (
  baseUrl: string,
  endpoint: 'token' | 'revoke',
  client: Client,
  form: Record<string, string | undefined>,
): Promise<Answer> => {
  const body = new URLSearchParams({ client_id: client.client_id });
  if (client.client_secret !== null) body.set('client_secret', client.client_secret);
  for (const [name, value] of Object.entries(form)) if (value !== undefined) body.set(name, value);
  return call(baseUrl, `/v1/oauth/${endpoint}`, {
    body: body.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    idempotencyKey: null,
  });
};

export const redeem = (
  baseUrl: string,
  client: Client,
  { code, verifier }: CodeWithVerifier,
  change: Record<string, string | undefined> = {},
): Promise<Answer> =>
  post(baseUrl, 'token', client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
    ...change,
  });

export const refresh = (
  baseUrl: string,
  client: Client,
  token: unknown,
  change: Record<string, string | undefined> = {},
): Promise<Answer> =>
  post(baseUrl, 'token', client, { grant_type: 'refresh_token', refresh_token: String(token), ...change });

/** One request with an access token, as RFC 6750 has it. */
export const bearing = (
  baseUrl: string,
  token: unknown,
  path = '/v1/attribution',
  body?: unknown,
): Promise<Answer> =>
  call(baseUrl, path, {
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body }),
  });
