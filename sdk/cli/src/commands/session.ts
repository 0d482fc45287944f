import {
  type Caller,
  createClient,
  getCaller,
  getDiscovery,
  issueToken,
  revokeToken,
} from '../../../typescript/src/index.ts';
import { authorizeInBrowser } from '../browserSignIn.ts';
import type { Command } from '../command.ts';
import { baseUrlOf } from '../connection.ts';
import { UsageError } from '../faults.ts';
import {
  deleteCredential,
  profilePath,
  readProfiles,
  type StoredCredential,
  saveCredential,
} from '../profiles.ts';
import { pairsOf } from '../table.ts';
import { note, type Terminal, writeJson, writeLine } from '../terminal.ts';
import { shown } from '../text.ts';
import { anonymous, storedTokens } from '../tokens.ts';

interface LoggedIn {
  readonly caller: Caller;
  readonly credential: StoredCredential;
}

/** Visible ASCII, as it fits into a header. */
const KEY_PATTERN = /^[\x21-\x7e]+$/;

/** Asks for a key, and checks it: an invalid key must not replace a valid credential. */
const logInWithKey = async (terminal: Terminal, baseUrl: string): Promise<LoggedIn> => {
  // Never an option: other users of the machine can read the arguments of a process.
  const apiKey = (await terminal.readSecret(`API key for ${baseUrl}: `)).trim();
  if (!KEY_PATTERN.test(apiKey)) throw new UsageError('Give the API key on standard input, on one line.');
  const client = createClient({ baseUrl, credential: { apiKey } });
  return {
    caller: await getCaller(client, { signal: terminal.signal }),
    credential: { api_key: apiKey },
  };
};

const portOf = (text: string): number => {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new UsageError(`--port must be a port: ${text}`);
};

/** Signs a user in with a browser: the authorization code grant with PKCE, for a public client. */
const logInWithBrowser = async (
  terminal: Terminal,
  baseUrl: string,
  {
    clientId,
    port,
    scope,
  }: { readonly clientId: string; readonly port: number; readonly scope: string | undefined },
): Promise<LoggedIn> => {
  const { signal, now } = terminal;
  const client = anonymous(baseUrl);
  const { issuer, authorization_endpoint } = await getDiscovery(client, { signal });
  const authorization = await authorizeInBrowser(
    { issuer, authorizationEndpoint: authorization_endpoint, clientId, scope, port },
    (url) => note(terminal, `Open this address in a browser on this machine, and sign in:\n\n  ${url}\n`),
    signal,
  );
  const answer = await issueToken(
    client,
    { grant_type: 'authorization_code', client_id: clientId, ...authorization },
    { signal },
  );
  const credential = storedTokens(clientId, answer, now());
  const signedIn = createClient({ baseUrl, credential: { token: answer.access_token } });
  return { caller: await getCaller(signedIn, { signal }), credential };
};

/** The port of the redirect URI that the guide registers. */
const PORT = '8976';

export const login: Command = {
  name: 'login',
  summary: 'Store an API key for a service, or sign in with a browser',
  options: {
    'client-id': { placeholder: 'ID', help: 'Sign in with a browser, as a user of this public OAuth client' },
    scope: { placeholder: 'SCOPES', help: 'With --client-id: space-separated. Default: all of the client' },
    port: { placeholder: 'PORT', help: `With --client-id: the port of its redirect URI. Default: ${PORT}` },
  },
  run: async ({ terminal, option, flag }) => {
    const baseUrl = baseUrlOf(terminal.env, option('base-url'));
    const clientId = option('client-id');
    if (clientId === undefined && (option('scope') ?? option('port')) !== undefined)
      throw new UsageError('--scope and --port need --client-id.');
    const { caller, credential } =
      clientId === undefined
        ? await logInWithKey(terminal, baseUrl)
        : await logInWithBrowser(terminal, baseUrl, {
            clientId,
            scope: option('scope'),
            port: portOf(option('port') ?? PORT),
          });
    saveCredential(terminal.env, baseUrl, credential);
    if (flag('json')) return writeJson(terminal, { base_url: baseUrl, caller });
    const name = shown(caller.email ?? caller.id);
    note(terminal, `Logged in at ${baseUrl} as ${name} of ${shown(caller.tenant.name)}.`);
    note(terminal, `The credential is stored in ${profilePath(terminal.env)}.`);
  },
};

export const logout: Command = {
  name: 'logout',
  summary: 'Delete the stored credential of a service. A sign-in ends, an API key stays valid',
  options: {},
  run: async ({ terminal, option, flag }) => {
    const baseUrl = baseUrlOf(terminal.env, option('base-url'));
    const stored = readProfiles(terminal.env).services[baseUrl];
    // Deleted after the revocation, so that a failed one can be repeated.
    if (stored !== undefined && 'refresh_token' in stored)
      await revokeToken(
        anonymous(baseUrl),
        { token: stored.refresh_token, client_id: stored.client_id },
        { signal: terminal.signal },
      );
    const was_logged_in = deleteCredential(terminal.env, baseUrl);
    if (flag('json')) return writeJson(terminal, { base_url: baseUrl, was_logged_in });
    note(terminal, was_logged_in ? `Logged out of ${baseUrl}.` : `There was no login at ${baseUrl}.`);
  },
};

export const whoami: Command = {
  name: 'whoami',
  summary: 'Show whose credential this is, and what it may do',
  options: {},
  run: async ({ terminal, client, flag }) => {
    const connected = client();
    const caller = await getCaller(connected, { signal: terminal.signal });
    if (flag('json')) return writeJson(terminal, caller);
    const lines = pairsOf([
      ['service', connected.baseUrl],
      ['tenant', `${shown(caller.tenant.name)} (${shown(caller.tenant.id)}, ${caller.tenant.plan})`],
      ['caller', `${caller.type} ${shown(caller.email ?? caller.id)}`],
      ['role', shown(caller.role, '-')],
      ['lane', shown(caller.residency, 'all')],
      ['scopes', caller.scopes.join(', ')],
    ]);
    for (const line of lines) await writeLine(terminal, line);
  },
};
