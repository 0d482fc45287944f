import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../sdk/cli/src/run.ts';
import { createClient, listAttribution, postInvocationBatch } from '../../sdk/typescript/src/index.ts';
import { logsInJson } from '../ingest/otlp/messages.ts';
import { Browser } from '../local/engines/browser.ts';
import { call } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import { completeSignIn, registerClient } from '../support/signIn.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import {
  CONTENT,
  claudeLine,
  codexCount,
  codexMeta,
  codexTurn,
  codexUsage,
  writeSessions,
} from './agentSessions.ts';

const execute = promisify(execFile);

let instance: Instance;
let keys: { readonly admin: string; readonly ingest: string };
/** The configuration directory of a user who is logged in. */
let home: string;

const sink = (): { stream: Writable; text: () => string } => {
  const chunks: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
};

/** Runs the command as a process would, without a terminal. */
const attribution = async (
  args: readonly string[],
  { env = { XDG_CONFIG_HOME: home }, secret = '', signal = new AbortController().signal } = {} as {
    readonly env?: Record<string, string>;
    readonly secret?: string;
    readonly signal?: AbortSignal;
  },
) => {
  const [out, err] = [sink(), sink()];
  const code = await run(args, {
    env,
    stdout: out.stream,
    stderr: err.stream,
    readSecret: async () => secret,
    signal,
    now: Date.now,
  });
  return { code, out: out.text(), err: err.text() };
};

const PRICED = '00000000-0000-4000-8000-00000000c1a1';
const UNPRICED = '00000000-0000-4000-8000-00000000c1a2';

const event = (event_id: string, change: object) => ({
  event_id,
  ingestion_layer: 'application' as const,
  ingestion_timestamp: new Date().toISOString(),
  provider: 'openai',
  requested_model: 'gpt-4o',
  input_tokens: 1_200,
  output_tokens: 350,
  attributed_service: 'ranking',
  ...change,
});

beforeAll(async () => {
  instance = await sharedInstance();
  keys = demoTenants(instance.credentials).acme.api_keys;
  home = temporaryDirectory();
  const client = createClient({ baseUrl: instance.baseUrl, credential: { apiKey: keys.admin } });
  await postInvocationBatch(client, {
    events: [
      event(PRICED, { attributed_identity: 'ann' }),
      event(UNPRICED, { attributed_identity: 'bob', requested_model: 'no-such-model' }),
    ],
  });
  await instance.runtime.idle({ delayed: true });
  await attribution(['login', '--base-url', instance.baseUrl], { secret: keys.admin });
});
afterAll(() => instance.stop());

describe('the login of the command line', () => {
  it('stores a key that only its owner can read, and uses it afterwards', async () => {
    const path = join(home, 'attribution/credentials.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(home, 'attribution'))).toEqual(['credentials.json']);

    const { code, out } = await attribution(['whoami', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ type: 'api_key', tenant: { name: 'acme' } });
  });

  it('does not replace a stored key with one that the service refuses', async () => {
    const before = readFileSync(join(home, 'attribution/credentials.json'), 'utf8');

    const { code, err } = await attribution(['login'], { secret: 'wrong' });
    expect(code).toBe(3);
    expect(err).toContain('INVALID_CREDENTIALS');
    expect(err).not.toContain('wrong\n');
    expect(readFileSync(join(home, 'attribution/credentials.json'), 'utf8')).toBe(before);
  });

  it('never sends a stored key to another service', async () => {
    const { code, err } = await attribution(['whoami', '--base-url', 'https://other.example.com']);

    expect(code).toBe(3);
    expect(err).toContain('Not logged in at https://other.example.com');
  });

  it('prefers the environment to the stored login', async () => {
    const env = { XDG_CONFIG_HOME: home, ATTRIBUTION_API_KEY: keys.ingest };

    const { code, err } = await attribution(['records'], { env });
    expect(code).toBe(3);
    expect(err).toContain('INSUFFICIENT_SCOPE');
  });

  it('forgets the key on logout', async () => {
    const env = { XDG_CONFIG_HOME: temporaryDirectory(), ATTRIBUTION_BASE_URL: instance.baseUrl };
    await attribution(['login'], { env, secret: keys.admin });

    expect((await attribution(['logout'], { env })).code).toBe(0);
    expect((await attribution(['whoami'], { env })).code).toBe(3);
    expect(readFileSync(join(env.XDG_CONFIG_HOME, 'attribution/credentials.json'), 'utf8')).not.toContain(
      keys.admin,
    );
  });
});

describe('the sign-in of the command line with a browser', () => {
  const freePort = async (): Promise<number> => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    server.close();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };

  /** Signs the demo user in. Returns the environment of the command and the file with the tokens. */
  const signIn = async () => {
    const port = await freePort();
    const { client_id } = await registerClient(instance, {
      token_endpoint_auth_method: 'none',
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      grant_types: ['authorization_code', 'refresh_token'],
    });
    const env = { XDG_CONFIG_HOME: temporaryDirectory(), ATTRIBUTION_BASE_URL: instance.baseUrl };
    const err = sink();
    const finished = run(['login', '--client-id', client_id, '--port', String(port)], {
      env,
      stdout: sink().stream,
      stderr: err.stream,
      readSecret: async () => '',
      signal: new AbortController().signal,
      now: Date.now,
    });
    await expect.poll(err.text).toContain('code_challenge=');
    const forged = await fetch(`http://127.0.0.1:${port}/callback?code=a&state=b`);
    const start = new URL(/https?:\S+/.exec(err.text())?.[0] ?? '');
    await completeSignIn(new Browser(), start, demoTenants(instance.credentials).acme.user);
    return {
      env,
      forged,
      code: await finished,
      said: err.text(),
      file: join(env.XDG_CONFIG_HOME, 'attribution/credentials.json'),
    };
  };

  const tokensIn = (file: string) => JSON.parse(readFileSync(file, 'utf8')).services[instance.baseUrl];

  it('stores the tokens of the user, renews them once for parallel commands, and ends them on logout', async () => {
    const { env, forged, code, file, said } = await signIn();
    expect([forged.status, code], said).toEqual([404, 0]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const first = tokensIn(file);
    // As after fifteen minutes.
    const ended = { ...first, expires_at: new Date(0).toISOString() };
    writeFileSync(file, JSON.stringify({ current: null, services: { [instance.baseUrl]: ended } }));

    const callers = await Promise.all([1, 2, 3].map(() => attribution(['whoami', '--json'], { env })));
    expect(callers.map((caller) => caller.code)).toEqual([0, 0, 0]);
    expect(JSON.parse(callers[0]?.out ?? '')).toMatchObject({ type: 'user' });
    const renewed = tokensIn(file);
    expect(renewed.refresh_token).not.toBe(first.refresh_token);

    expect((await attribution(['logout'], { env })).code).toBe(0);
    writeFileSync(file, JSON.stringify({ current: null, services: { [instance.baseUrl]: renewed } }));
    expect((await attribution(['whoami'], { env })).code).toBe(3);
  });
});

describe('the lists of the command line', () => {
  it('shows an unknown cost as unknown, and a known one to the last digit', async () => {
    const { out } = await attribution(['records', '--sort', '-cost_usd']);

    expect(out.split('\n')[0]).toMatch(/^ID +TIME +OWNER +SERVICE +PROVIDER +MODEL +COST USD/);
    expect(out).toMatch(/ ann +ranking +openai +gpt-4o\S* +0\.0065 /);
    expect(out).toMatch(/ bob +ranking +openai +no-such-model +unknown /);
  });

  it('prints one document for a page, and JSON Lines for all pages', async () => {
    const page = await attribution(['records', '--limit', '1', '--json']);
    const all = await attribution(['records', '--limit', '1', '--all', '--json']);

    expect(JSON.parse(page.out)).toMatchObject({ data: [{}], page: { has_more: true } });
    const records = all.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Set(records.map(({ event_id }) => event_id))).toEqual(new Set([PRICED, UNPRICED]));
  });

  it('prints the columns of a report as CSV, also of regions and tags, and as JSON Lines', async () => {
    const report = ['usage', '--group-by', 'region,tag:env'];
    const csv = await attribution([...report, '--csv']);
    const lines = await attribution([...report, '--jsonl']);

    expect(csv.out.split('\n')[0]).toBe(
      'region,tag:env,calls,cost_usd,usd_per_call,energy_wh,carbon_g,input_tokens,output_tokens',
    );
    expect(JSON.parse(lines.out.split('\n')[0] ?? '')).toHaveProperty('invocations');
    expect(csv.err + lines.err).toBe('');
    expect(await attribution([...report, '--csv', '--json'])).toMatchObject({ code: 2 });
  });

  it('explains how the cost changed, as a table and with all digits', async () => {
    const table = await attribution(['changes', '--group-by', 'owner']);
    const csv = await attribution(['changes', '--group-by', 'owner', '--csv']);

    expect(table.out).toMatch(
      /^OWNER +BEFORE USD +COST USD +CHANGE USD +VOLUME +MIX +TOKENS +CACHE +PRICE +UNDIVIDED$/m,
    );
    expect(table.err).toMatch(/^Change: .+ USD, from .+, compared with /m);
    expect(csv.out).toMatch(/^owner,before_usd,cost_usd,change_usd,volume,/);
  });

  it('gives unit costs, as a table and with all digits', async () => {
    const table = await attribution(['unit-costs', '--group-by', 'owner']);
    const csv = await attribution(['unit-costs', '--group-by', 'owner', '--csv']);

    expect(table.out).toMatch(
      /^OWNER +CALLS +COST USD +PER CALL +PER PERSON +PER M INPUT +PER M CACHED +PER M OUTPUT +CACHE SHARE +CACHE SAVED$/m,
    );
    expect(table.err).toMatch(/^All calls: .+ USD a call, from /m);
    expect(csv.out).toMatch(/^owner,calls,cost_usd,per_call,/);
  });

  it('suggests savings, or says that there are none', async () => {
    const { out, err, code } = await attribution(['savings']);

    expect(code).toBe(0);
    expect(out + err).toMatch(
      /^SAVING +OWNER +SERVICE +MODEL OR POOL +INSTEAD +USD IN 30 DAYS |^No savings/m,
    );
  });

  it('names days in the time zone of the tenant, and prints the address of the console', async () => {
    const { out } = await attribution(['usage', '--interval', 'day']);

    expect(out).toMatch(/^\d{4}-\d\d-\d\d /m);
    expect((await attribution(['open', '--record', 'a/b'])).out).toBe(
      `${instance.baseUrl}/console/records/a%2Fb\n`,
    );
  });

  it('takes any filter of the API, and shows which one is invalid', async () => {
    const filtered = await attribution(['records', '--filter', 'cost_usd[gte]=0.001', '--json']);
    const invalid = await attribution(['records', '--filter', 'ownr=ann']);

    expect(JSON.parse(filtered.out).data).toHaveLength(1);
    expect(invalid.code).toBe(1);
    expect(invalid.err).toContain('did you mean owner?');
    expect(invalid.err).toMatch(/^Trace: [0-9a-f]{32}$/m);
  });

  it.each([
    [['usage', '--from', '2026-11-25', '--to', '2026-11-25'], 1, '2026-11-26'],
    [['usage', '--from', '2026-11-25', '--from', '2026-11-26'], 2, '--from is repeated'],
    [['records', '--owner', 'a', '--owner', 'b'], 2, '--owner is repeated'],
    [['records', '--owner', 'a', '--filter', 'owner=b'], 1, 'repeated'],
    [['records', '--filter', 'owner=a', '--filter', 'owner=b'], 1, 'repeated'],
    [['records', '--from', '2026-11-25T00:00:00Z', '--to', '2026-11-25T00:00:00Z'], 1, 'no instant'],
    [['export', '--from', '2026-11-25', '--to', '2026-11-25'], 1, 'later than from'],
  ])('refuses %j, and never answers with zero', async (args, code, reason) => {
    const refused = await attribution(args);

    expect(refused).toMatchObject({ code, out: '' });
    expect(refused.err).toContain(reason);
  });

  it('takes a list as a repeated filter', async () => {
    const { code, out } = await attribution([
      'records',
      '--json',
      '--filter',
      'provider[in]=nobody',
      '--filter',
      'provider[in]=openai',
    ]);

    expect(code).toBe(0);
    expect(JSON.parse(out).data.length).toBeGreaterThan(0);
  });

  it('explains one record', async () => {
    const { data } = JSON.parse((await attribution(['records', '--owner', 'ann', '--json'])).out);

    const { out } = await attribution(['records', 'get', data[0].id]);
    expect(out).toMatch(/^cost_usd +0\.0065$/m);
    expect(out).toContain('\nexplanation:\n');
  });

  it('keeps suppressed groups unnamed and unpriced calls out of the cost', async () => {
    const { out, err } = await attribution(['usage', '--group-by', 'owner']);

    expect(out).toContain('(suppressed)');
    expect(out).not.toContain('ann');
    expect(out).toContain('0.0065 + 1 unknown');
    expect(err).toContain('fewer than five persons');
  });

  it('lists who changed what, with the members before and after', async () => {
    const { code, out } = await attribution(['audit', '--limit', '200']);

    expect(code).toBe(0);
    expect(out).toMatch(/^AT +ACTION +ACTOR +RESOURCE +OUTCOME +CHANGES/);
    expect(out).toMatch(/api_key\.create .*succeeded.* -> /);
  });

  it('lists budgets with what is spent', async () => {
    const { code, out, err } = await attribution(['budgets']);

    expect(code).toBe(0);
    expect(out + err).toContain('There is no budget.');
  });

  it('says what of the scope of a budget, or of a filter, no call has', async () => {
    const scope = { service: 'no-such-service' };
    const body = { name: 'Misspelt', ceiling_usd: '5', period: 'month', scope };
    await call(instance.baseUrl, '/api/v1/budgets', { key: keys.admin, body });
    const budgets = () => attribution(['budgets']);
    const listed = await attribution(['records', '--service', 'no-such-service']);

    await expect.poll(async () => (await budgets()).err).toMatch(/Misspelt: \/scope\/service: No call/);
    expect(listed.err).toMatch(/^service: No record of the period/m);
  });

  it('replaces control characters of labels, which could change what a terminal shows', async () => {
    const { err } = await attribution(['records', '--filter', 'a\u001b[2Jb=1']);

    expect(err).not.toContain('\u001b');
  });
});

describe('an export by the command line', () => {
  const period = () => [
    '--from',
    new Date(Date.now() - 3_600_000).toISOString(),
    '--to',
    new Date(Date.now() - 1_000).toISOString(),
  ];

  it('is downloaded and has the digest of its manifest', async () => {
    const output = join(temporaryDirectory(), 'files');

    const { code, out, err } = await attribution(['export', ...period(), '--output', output, '--json']);
    expect(err).not.toContain('Error');
    expect(code).toBe(0);
    const { files } = JSON.parse(out);
    const data = files.find((path: string) => path.endsWith('.csv.gz'));
    expect(gunzipSync(readFileSync(data)).toString()).toContain('BilledCost');
    expect(readdirSync(output).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('ends with 130 when it is interrupted, and can be continued', async () => {
    const interruption = new AbortController();
    const started = await attribution(['export', ...period(), '--no-wait']);
    interruption.abort();

    const { code } = await attribution(['export', '--job', started.out.trim()], {
      signal: interruption.signal,
    });
    expect(code).toBe(130);
  });

  it('is a job that can be listed, read and waited for', async () => {
    const id = (await attribution(['export', ...period(), '--no-wait'])).out.trim();

    const waited = await attribution(['jobs', 'wait', id, '--json']);
    const listed = await attribution(['jobs', '--type', 'focus_export', '--csv']);
    const other = await attribution(['jobs', '--type', 'training', '--all', '--jsonl']);
    const read = await attribution(['jobs', 'get', id]);
    const missing = await attribution(['jobs', 'get', `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`]);

    expect([waited.code, JSON.parse(waited.out).status]).toEqual([0, 'succeeded']);
    expect(listed.out.split('\n')[0]).toBe('id,type,status,created,finished,progress,error');
    expect(listed.out).toContain(`${id},focus_export,succeeded`);
    expect(other.out).not.toContain('focus_export');
    expect(read.out).toMatch(/^status: succeeded$/m);
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('NOT_FOUND')]);
  });

  it.each([
    [['jobs', '--type', 'backup'], 'sandbox_reset: backup'],
    [['jobs', 'wait'], 'takes one argument'],
    [['export'], '--from and --to'],
    [['export', '--from', '2026-01-01', '--to', '2026-02-01', '--format', 'xml'], 'csv.gz, parquet: xml'],
    [['usage', '--top', 'many'], '--top must be a whole number'],
    [['records', 'extra'], 'takes no argument'],
    [['records', 'get'], 'takes one argument'],
    [['record'], 'is not a command'],
    [['webhooks', '--help'], 'webhooks listen and webhooks trigger'],
    [['records', '--colour'], "Unknown option '--colour'"],
  ])('%j is an invalid command line', async (args, reason) => {
    const { code, err } = await attribution(args);

    expect(code).toBe(2);
    expect(err).toContain(reason);
  });
});

// About 2 s: npm starts twice.
it('the packed command runs in another project by npx, without any other package', async () => {
  const [folder, project] = [temporaryDirectory(), temporaryDirectory()];
  await execute('npm', ['pack', '--pack-destination', folder], { cwd: 'sdk/cli' });
  const [packed = ''] = readdirSync(folder);
  writeFileSync(join(project, 'package.json'), '{}');
  await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed)], {
    cwd: project,
  });
  expect(existsSync(join(project, 'node_modules/inference-attribution-cli/src'))).toBe(false);

  const { stdout } = await execute('npx', ['--no-install', 'attribution', 'whoami'], {
    cwd: project,
    env: { ...process.env, XDG_CONFIG_HOME: home },
  });
  expect(stdout).toMatch(/^tenant +acme/m);

  const script = `${(await attribution(['completion', 'bash'])).out}
    COMP_WORDS=(attribution usage --group-by owner,p); COMP_CWORD=3; _attribution; echo "\${COMPREPLY[*]}"`;
  const completed = await execute('bash', ['-c', script]);
  expect(completed.stdout.trim()).toBe('owner,provider owner,pathway_category');
});

describe('the import of the sessions of coding agents', () => {
  const SERVICE = 'import-of-sessions';
  const REQUEST = 'req_011CTimportimportimport';
  const at = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  const [claudeAt, codexAt, since] = [at(60), at(50), at(40)];
  const agents = (): Record<string, string> => ({
    XDG_CONFIG_HOME: home,
    CLAUDE_CONFIG_DIR: join(home, 'claude'),
    CODEX_HOME: join(home, 'codex'),
  });

  const importAgain = async (agent: string, ...more: readonly string[]) => {
    const args = ['import', agent, '--service', SERVICE, '--json', ...more];
    const { code, out, err } = await attribution(args, { env: agents() });
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out);
  };
  const recordsOf = async () => {
    const client = createClient({ baseUrl: instance.baseUrl, credential: { apiKey: keys.admin } });
    const records = [];
    for await (const page of listAttribution(client, { service: SERVICE }).pages())
      records.push(...page.data);
    return records.toSorted((one, other) => (one.occurred_at < other.occurred_at ? -1 : 1));
  };

  beforeAll(() => {
    const usage = codexUsage(9_111, 4_000, 222, 50);
    writeSessions(home, {
      'claude/projects/p/a.jsonl': [claudeLine({}, { timestamp: claudeAt, requestId: REQUEST })],
      'codex/sessions/2026/rollout-a.jsonl': [
        codexMeta('019a0000-0000-7000-8000-0000000000aa', codexAt),
        codexTurn(codexAt, 'gpt-5.2-codex'),
        codexCount(codexAt, usage, usage),
      ],
    });
  });

  it('shows the sums by model, and sends nothing with --dry-run', async () => {
    const { code, out, err } = await attribution(['import', 'claude-code', '--dry-run'], { env: agents() });

    expect(code).toBe(0);
    expect(out).toMatch(/^claude-sonnet-4-5-20250929 +1 +21004 +20000 +1000 +300$/m);
    expect(err).toContain('Nothing was sent');
    expect(await importAgain('codex', '--since', since, '--dry-run')).toMatchObject({
      calls: 0,
      calls_before_since: 1,
    });
    expect(await recordsOf()).toEqual([]);
  });

  it('makes one record of each call, however often it runs and whatever telemetry reports too', async () => {
    const nanoseconds = (iso: string, milliseconds: number) => `${Date.parse(iso) + milliseconds}000000`;
    const resource = { 'service.name': SERVICE };
    const logs = logsInJson([
      {
        resource,
        scope: 'com.anthropic.claude_code.events',
        items: [
          {
            time: nanoseconds(claudeAt, 3_000),
            attributes: {
              'event.name': 'api_request',
              model: 'claude-sonnet-4-5-20250929',
              request_id: REQUEST,
              duration_ms: 4_000,
              input_tokens: 4,
              output_tokens: 300,
              cache_read_tokens: 20_000,
              cache_creation_tokens: 1_000,
            },
          },
        ],
      },
      {
        resource,
        scope: 'codex_cli_rs',
        items: [
          {
            time: nanoseconds(codexAt, -40),
            attributes: {
              'event.name': 'codex.sse_event',
              'event.kind': 'response.completed',
              model: 'gpt-5.2-codex',
              input_token_count: 9_111,
              cached_token_count: 4_000,
              output_token_count: 222,
              reasoning_token_count: 50,
              tool_token_count: 9_333,
            },
          },
        ],
      },
    ]);
    const { status } = await fetch(`${instance.baseUrl}/api/v1/otlp/v1/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': keys.admin },
      body: JSON.stringify(logs),
    });
    expect(status).toBe(200);

    for (const _time of [1, 2]) {
      expect(await importAgain('claude-code')).toMatchObject({ calls: 1, sent: 1, refused: 0 });
      expect(await importAgain('codex')).toMatchObject({ calls: 1, sent: 1, refused: 0 });
      await instance.runtime.idle({ delayed: true });
    }
    const [ofClaude, ...ofCodex] = await recordsOf();
    // With the writes for an hour, which only the session tells: 4 * 3 + 20,000 * 0.3 + 1,000 * 6 + 300 * 15 USD per million.
    expect(ofClaude).toMatchObject({ requested_model: 'claude-sonnet-4-5-20250929', cost_usd: '0.016512' });
    expect(
      ofCodex.map(({ cost_usd, interpretation }) => [cost_usd === '0', interpretation.same_call]),
    ).toEqual(
      expect.arrayContaining([
        [false, expect.objectContaining({ state: 'counted', basis: 'time' })],
        [true, expect.objectContaining({ state: 'repeat' })],
      ]),
    );
    expect(ofCodex).toHaveLength(2);
    expect(JSON.stringify([ofClaude, ofCodex])).not.toContain(CONTENT);
  });

  it.each([
    [['import'], 2, 'The commands of import are'],
    [['import', 'codex', '--since', 'yesterday'], 2, '--since must be an ISO date'],
    [['import', 'codex', '--billing-mode', 'gratis'], 2, '--billing-mode must be one of'],
    [['import', 'gemini', '--dir', '/nowhere'], 1, 'no sessions of Gemini CLI in /nowhere'],
  ])('answers %j with exit code %i', async (args, expected, message) => {
    const { code, err } = await attribution(args, { env: agents() });

    expect(code).toBe(expected);
    expect(err).toContain(message);
  });
});

describe('attribution unowned map', () => {
  const service = `unowned-${randomUUID().slice(0, 8)}`;
  const map = ['unowned', 'map', 'team-search', '--condition', `service=${service}`];
  const ownerOf = async (): Promise<unknown> => {
    const { out } = await attribution(['records', '--service', service, '--json']);
    return JSON.parse(out).data.map(({ owner }: { owner: unknown }) => owner);
  };

  it('gives the calls of a service to an owner, after a dry run that changes nothing', async () => {
    const client = createClient({ baseUrl: instance.baseUrl, credential: { apiKey: keys.admin } });
    await postInvocationBatch(client, { events: [event(randomUUID(), { attributed_service: service })] });
    await instance.runtime.idle({ delayed: true });
    const listed = await attribution(['unowned', '--service', service]);
    const dryRun = await attribution([...map, '--dry-run']);
    expect(await ownerOf()).toEqual([null]);

    const mapped = await attribution(map);
    await instance.runtime.idle({ delayed: true });

    expect(listed.err).toContain('attribution unowned map OWNER --condition FIELD=VALUE');
    expect(dryRun.out).toMatch(/^1 of \d+ calls would change\.\n/);
    expect(dryRun.out).toMatch(/^team-search +\d+ +\d+$/m);
    expect(mapped).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^map_\w+ maps new calls to team-search\. /),
    });
    expect(await ownerOf()).toEqual(['team-search']);
  });

  it.each([
    [['unowned', 'map', 'team-search'], 'Give at least one --condition FIELD=VALUE.'],
    [
      ['unowned', 'map', 'team-search', '--condition', 'colour=blue'],
      'A condition is FIELD=VALUE, with one of',
    ],
    [['unowned', 'map'], 'takes one argument: OWNER'],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await attribution(args);

    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

// Last, because it adds a call and a cost to the totals.
it('lists the costs that were set aside, and confirms one', async () => {
  const client = createClient({ baseUrl: instance.baseUrl, credential: { apiKey: keys.admin } });
  const implausible = event(randomUUID(), { estimated_cost_usd: '123456', cost_source: 'provider' as const });
  await postInvocationBatch(client, { events: [implausible] });
  await instance.runtime.idle({ delayed: true });
  const waiting = ['records', '--cost-unknown', 'implausible_cost', '--json'];

  const { data } = JSON.parse((await attribution(waiting)).out);
  const { code, out } = await attribution(['records', 'confirm', data[0].id]);
  const again = await attribution(['records', 'confirm', data[0].id]);

  expect(data).toMatchObject([{ event_id: implausible.event_id, cost_usd: null }]);
  expect([code, out]).toEqual([0, `${data[0].id} costs 123456 USD from version 2 on.\n`]);
  expect(again.err).toContain('CONFLICT');
  expect(JSON.parse((await attribution(waiting)).out).data).toEqual([]);
  const inbox = (await call(instance.baseUrl, '/api/v1/notifications', { key: keys.admin })).body['data'];
  expect(inbox).toMatchObject([{ type: 'cost.implausible', severity: 'warning' }]);
});
