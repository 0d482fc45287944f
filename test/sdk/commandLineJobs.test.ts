import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { createClient, listAttribution, postInvocationBatch } from '../../sdk/typescript/src/index.ts';
import { logsInJson } from '../ingest/otlp/messages.ts';
import { call } from '../support/client.ts';
import { demoTenants } from '../support/localService.ts';
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
import { attribution, event, home, instance, keys, useCommandLine } from './commandLineHarness.ts';

useCommandLine();

const execute = promisify(execFile);

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
    [['record'], 'is not a command. Did you mean records?'],
    [['recrods'], 'is not a command. Did you mean records?'],
    [['usage', '--gruop-by', 'owner'], '--gruop-by is no option of usage. Did you mean --group-by?'],
    [['webhooks', '--help'], 'webhooks listen and webhooks trigger'],
    [['records', '--colour'], '--colour is no option of records.'],
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

describe('attribution savings dismiss', () => {
  const service = `letters-${randomUUID().slice(0, 8)}`;
  const dismiss = ['savings', 'dismiss', 'prompt_caching', '--reason', 'Each letter is another'];

  it('leaves a suggestion out of the report until it is restored', async () => {
    // Without other persons, whose calls would be merged with these.
    const { admin: apiKey } = demoTenants(instance.credentials).globex.api_keys;
    const env = { ATTRIBUTION_API_KEY: apiKey, ATTRIBUTION_BASE_URL: instance.baseUrl };
    const run = (...args: string[]) => attribution(args, { env });
    const client = createClient({ baseUrl: instance.baseUrl, credential: { apiKey } });
    const events = Array.from({ length: 120 }, (_, index) =>
      event(randomUUID(), {
        attributed_identity: `writer-${index % 6}`,
        attributed_service: service,
        input_tokens: 50_000,
      }),
    );
    await postInvocationBatch(client, { events });
    await instance.runtime.idle({ delayed: true });
    const isListed = async (...args: string[]) =>
      (await run('savings', ...args, '--csv')).out
        .split('\n')
        .some((row) => row.startsWith('prompt_caching,') && row.includes(service));
    expect(await isListed()).toBe(true);

    const dismissed = await run(...dismiss, '--service', service);
    expect(dismissed).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Dismissed\. `savings restore svd_/),
    });
    expect([await isListed(), await isListed('--dismissed', 'only')]).toEqual([false, true]);
    expect((await run('savings')).err).toContain('Dismissed and left out: 1.');

    const [, id = ''] = /restore (\w+)/.exec(dismissed.out) ?? [];
    expect((await run('savings', 'restore', id)).code).toBe(0);
    expect(await isListed()).toBe(true);
  });

  it.each([
    [['savings', 'dismiss', 'magic', '--reason', 'No'], 'A suggestion is one of prompt_caching, batch'],
    [['savings', 'dismiss', 'batch'], 'Say why with --reason TEXT.'],
    [
      [...dismiss, '--service', 'no-such-service'],
      'No suggestion of the kind prompt_caching has these names.',
    ],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await attribution(args);

    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('attribution metrics', () => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

  it('sends numbers from CSV and one by one, shows what a unit costs, and deletes the metric', async () => {
    const file = join(temporaryDirectory(), 'numbers.csv');
    writeFileSync(file, `date,value\r\n${yesterday},7\r\n2026-01-01,4\r\n`);

    const sent = await attribution([
      'metrics',
      'send',
      'tickets',
      '--file',
      file,
      '--number',
      '2026-01-02=5',
    ]);
    expect(sent).toMatchObject({
      code: 0,
      out: `tickets has numbers of 3 days, 2026-01-01 to ${yesterday}.\n`,
    });
    const { out } = await attribution(['metrics', '--name', 'tickets', '--csv']);
    const [titles, row = ''] = out.split('\n');
    expect(titles).toBe('metric,cost_of,units,days,without_number,cost_usd,usd_per_unit,id');
    expect(row).toMatch(/^tickets,all calls,7,1,\d+,[\d.]+,[\d.]+,bmt_/);

    const id = row.split(',').at(-1) ?? '';
    expect((await attribution(['metrics', 'delete', id])).code).toBe(0);
    expect((await attribution(['metrics', '--name', 'tickets'])).err).toContain(
      'There is no business metric.',
    );
  });

  it.each([
    [['metrics', 'send', 'tickets'], 'Give numbers with --file FILE or --number DATE=N.'],
    [['metrics', 'send', 'tickets', '--number', 'today=4'], 'line 2 is not DATE,NUMBER'],
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
