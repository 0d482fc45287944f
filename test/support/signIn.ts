import { randomBytes } from 'node:crypto';
import { challengeOf } from '../../functions/identity/oauth/pkce.ts';
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

/** Never requested: the browser of these tests stops at the first redirect to another machine. */
export const REDIRECT_URI = 'https://app.example.com/callback';

const CLIENT = {
  name: 'an application',
  scopes: ['read:attribution', 'read:reporting', 'admin:config'],
  redirect_uris: [REDIRECT_URI],
};

/** Registers an OAuth client. `members` override the default request. Throws when the service rejects it. */
export const registerClient = async (
  { baseUrl, credentials }: Instance,
  members: Record<string, unknown> = {},
  tenant: number | { readonly key: string } = 0,
): Promise<Client> => {
  const key = typeof tenant === 'number' ? (credentials.tenants[tenant]?.api_keys.admin ?? '') : tenant.key;
  const answer = await call(baseUrl, '/api/v1/oauth-clients', { key, body: { ...CLIENT, ...members } });
  if (answer.status !== 201) throw new Error(`client registration failed: ${answer.text}`);
  const { client_id, client_secret } = answer.body;
  return {
    client_id: String(client_id),
    client_secret: client_secret === null ? null : String(client_secret),
  };
};

export const newVerifier = (): string => randomBytes(32).toString('base64url');

/** The authorization request that starts a sign-in. Undefined parameters are left out. */
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
/** Whether the page is a redirect to another server of this machine. The browser does not follow such a redirect. */
const isLocalRedirect = ({ status, url }: BrowserPage): boolean =>
  status >= 300 && status < 400 && url.protocol === 'http:';

/** Signs a person in: follows local redirects and submits the provider's form. Returns the last page or the external redirect. */
export const completeSignIn = async (
  browser: Browser,
  start: URL,
  person: Person,
  /** Maps a URL to the one to open, for a service with its own host name. */
  localUrl: (url: URL) => URL = (url) => url,
): Promise<BrowserPage> => {
  let page = await browser.open(localUrl(start));
  for (;;) {
    if (isForm(page)) page = await browser.open(page.url, { ...person });
    else if (isLocalRedirect({ ...page, url: localUrl(page.url) }))
      page = await browser.open(localUrl(page.url));
    else return page;
  }
};

export interface CodeWithVerifier {
  readonly code: string;
  readonly verifier: string;
}

/** Signs a person in and returns the authorization code. The browser may already have a session. Throws when no code is issued. */
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
  if (code === null) throw new Error(`no authorization code: ${url} ${html}`);
  return { code, verifier };
};

/** Posts a form to an OAuth endpoint, with the client credentials in the form (`client_secret_post`). */
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

/** Sends a request with a bearer access token (RFC 6750). */
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
