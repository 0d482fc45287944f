import { spawn } from 'node:child_process';
import { Writable } from 'node:stream';
import { run } from '../../../sdk/cli/src/run.ts';
import {
  ConfigurationError,
  ConnectionError,
  type Credential,
  confirmCost,
  createClient,
  getAttribution,
  listAttribution,
} from '../../../sdk/typescript/src/index.ts';
import { createMcpServer } from '../../../tools/mcp/server.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';
import type { Action, Ending } from './rows.ts';

/** One row for one client. */
export interface Case {
  readonly baseUrl: string;
  readonly secret: string;
  readonly action: Action;
  readonly hasArrived: () => boolean;
  /** Resolves when the first request has arrived. */
  readonly arrival: () => Promise<void>;
}

export interface Outcome {
  readonly ends: Ending;
  /** What the user is told. */
  readonly text: string;
}

/** Of an attempt that is ended or stopped. */
const TIMEOUT_MS = 3_000;
const RECORD = 'rec_1';

const credentialOf = (secret: string, action: Action): Credential =>
  action.do === 'read as OAuth client' ? { clientId: 'cli_1', clientSecret: secret } : { apiKey: secret };

const idOf = (action: Action): string => ('id' in action ? (action.id ?? RECORD) : RECORD);

const endingOf = (error: unknown): Ending => {
  if (error instanceof ConfigurationError) return 'not sent';
  if (error instanceof ConnectionError) return 'no answer';
  return error instanceof DOMException ? 'stopped' : 'error';
};

const typescript = async (
  { baseUrl, secret, action, arrival }: Case,
  timeoutMs: number,
): Promise<Outcome> => {
  const call = async (): Promise<unknown> => {
    const client = createClient({
      baseUrl,
      credential: credentialOf(secret, action),
      ...(action.do === 'read in time' && { timeoutMs, retries: 0 }),
    });
    if (action.do === 'change') return confirmCost(client, RECORD);
    if (action.do === 'list') return listAttribution(client, { 'owner[in]': action.owners });
    // As of a program without a compiler.
    if (action.do === 'list without') return listAttribution(client, Object({ owner: action.owner }));
    if (action.do === 'read and stop') {
      const stop = new AbortController();
      void arrival().then(() => stop.abort());
      return getAttribution(client, RECORD, { signal: stop.signal });
    }
    return getAttribution(client, idOf(action));
  };
  try {
    return { ends: 'answer', text: JSON.stringify(await call()) };
  } catch (error) {
    return { ends: endingOf(error), text: String(error) };
  }
};

const argumentsOf = (action: Action): string[] => {
  if (action.do === 'change') return ['records', 'confirm', RECORD];
  if (action.do === 'list') return ['records', '--filter', `owner[in]=${JSON.stringify(action.owners)}`];
  return ['records', 'get', idOf(action)];
};

const EXITS: Readonly<Record<number, Ending>> = {
  0: 'answer',
  2: 'not sent',
  3: 'not sent',
  4: 'no answer',
  130: 'stopped',
};

const commandLine = async ({ baseUrl, secret, action, arrival }: Case): Promise<Outcome> => {
  let text = '';
  const sink = () =>
    new Writable({
      write: (chunk, _encoding, done) => {
        text += String(chunk);
        done();
      },
    });
  const interruption = new AbortController();
  if (action.do === 'read and stop') void arrival().then(() => interruption.abort());
  const code = await run([...argumentsOf(action), '--json'], {
    env: {
      XDG_CONFIG_HOME: temporaryDirectory(),
      ATTRIBUTION_BASE_URL: baseUrl,
      ATTRIBUTION_API_KEY: secret,
    },
    stdout: sink(),
    stderr: sink(),
    readSecret: async () => '',
    signal: interruption.signal,
    now: Date.now,
  });
  return { ends: EXITS[code] ?? 'error', text };
};

const toolOf = (action: Action): { readonly name: string; readonly arguments: object } => {
  if (action.do === 'list') return { name: 'list_attribution', arguments: { owner_in: action.owners } };
  if (action.do === 'list without') return { name: 'list_attribution', arguments: { owner: action.owner } };
  return { name: 'get_attribution', arguments: { id: idOf(action) } };
};

const mcp = async ({ baseUrl, secret, action, arrival }: Case): Promise<Outcome> => {
  try {
    const server = createMcpServer(
      createClient({ baseUrl, credential: credentialOf(secret, action) }),
      '1.2.3',
    );
    const message = (method: string, params: object, id?: number) =>
      server(JSON.stringify({ jsonrpc: '2.0', method, params, ...(id !== undefined && { id }) }));
    if (action.do === 'read and stop')
      void arrival().then(() => message('notifications/cancelled', { requestId: 1 }));
    const reply = await message('tools/call', toolOf(action), 1);
    if (reply === null) return { ends: 'stopped', text: '' };
    const { isError, content } = JSON.parse(reply).result;
    const { text } = content[0];
    if (isError !== true) return { ends: 'answer', text };
    if (text.includes('did not answer')) return { ends: 'no answer', text };
    return { ends: /An id must|is missing/.test(text) ? 'not sent' : 'error', text };
  } catch (error) {
    return { ends: endingOf(error), text: String(error) };
  }
};

/** One process for all cases. It reads them as JSON, and writes the outcomes in the same order. */
const python = (proxy: string, cases: readonly Case[], timeoutMs: number): Promise<readonly Outcome[]> =>
  new Promise((resolve, reject) => {
    const child = spawn('python3', ['-m', 'tests.behaviour'], {
      cwd: 'sdk/python',
      env: {
        ...process.env,
        PYTHONPATH: 'src',
        PYTHONDONTWRITEBYTECODE: '1',
        HTTPS_PROXY: proxy,
        HTTP_PROXY: proxy,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
    });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`${code}`))));
    child.stdin.end(JSON.stringify({ cases, timeout: timeoutMs / 1_000 }));
  });

const each =
  (one: (given: Case, timeoutMs: number) => Promise<Outcome>) =>
  (_: string, cases: readonly Case[], timeoutMs: number): Promise<readonly Outcome[]> =>
    Promise.all(cases.map((given) => one(given, timeoutMs)));

export const clients = {
  TypeScript: each(typescript),
  Python: python,
  CLI: each(commandLine),
  MCP: each(mcp),
} as const;

/**
 * How a client ends each case. Many cases run at once, and a request can take longer to be sent than its attempt has: what ended
 * before it arrived is repeated with twice the time.
 */
export const outcomesOf = async (
  client: keyof typeof clients,
  proxy: string,
  cases: readonly Case[],
  timeoutMs = TIMEOUT_MS,
): Promise<readonly Outcome[]> => {
  const found = await clients[client](proxy, cases, timeoutMs);
  const early = cases.filter(
    ({ action, hasArrived }) => ['read in time', 'read and stop'].includes(action.do) && !hasArrived(),
  );
  if (early.length === 0) return found;
  const repeated = await outcomesOf(client, proxy, early, 2 * timeoutMs);
  return cases.flatMap(
    (one, index) => (early.includes(one) ? repeated[early.indexOf(one)] : found[index]) ?? [],
  );
};
