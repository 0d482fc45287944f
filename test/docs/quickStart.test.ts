import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateTenant } from '../../schemas/routes/tenants/tenant.ts';
import { claudeLine, codexCount, codexMeta, codexUsage, writeSessions } from '../sdk/agentSessions.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { codeBlocksOf, textOf } from './pages.ts';

const run = promisify(execFile);
/** The address that the pages name. */
const DOCUMENTED_ADDRESS = 'http://127.0.0.1:3000';

let instance: Instance;
/** A folder that looks to the commands like a checkout with a running service. */
let checkout: string;

beforeAll(async () => {
  instance = await startInstance({ settings: { notificationSender: 'notifications@attribution.example' } });
  checkout = temporaryDirectory();
  for (const entry of [
    'bin',
    'examples',
    'functions',
    'lib',
    'local',
    'node_modules',
    'package.json',
    'schemas',
    'sdk',
    'tools',
  ]) {
    symlinkSync(resolve(entry), join(checkout, entry));
  }
  symlinkSync(instance.dataDir, join(checkout, '.local'));
  mkdirSync(join(checkout, 'home'));
  // A function's first call on a busy machine can take longer than it has, and answer 503. Repeating it is safe.
  writeFileSync(join(checkout, 'home', '.curlrc'), 'retry = 8\nfail-with-body\n');
});
afterAll(() => instance?.stop());

/** The `sh` blocks of a page as one script, without the command that starts the service. */
const scriptOf = (page: string): string =>
  codeBlocksOf(textOf(page))
    .filter(({ language, code }) => language === 'sh' && !code.includes('npm start'))
    .map(({ code }) => code)
    .join('\n')
    .replaceAll(DOCUMENTED_ADDRESS, instance.baseUrl);

const execute = async (page: string): Promise<string> => {
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', scriptOf(page)], {
    cwd: checkout,
    env: {
      ...process.env,
      CURL_HOME: join(checkout, 'home'),
      XDG_CONFIG_HOME: join(checkout, 'home'),
      CLAUDE_CONFIG_DIR: join(checkout, 'home', 'claude'),
      CODEX_HOME: join(checkout, 'home', 'codex'),
    },
    timeout: 240_000,
    maxBuffer: 64 * 1_024 * 1_024,
  });
  return stdout;
};

describe('the documented commands', () => {
  it('sends a first event and reads its record, as the README says', async () => {
    const output = await execute('README.md');

    expect(output).toContain('"status":"queued"');
    expect(output).toContain('"owner":"team-search"');
    expect(output).toContain('"cost_usd":"0.006"');
  }, 300_000);

  // Before the next guide, whose mapping gives the call to a team.
  it('looks up a call before it is made, as the lookup guide says', async () => {
    expect(await execute('docs/guides/lookup.md')).toContain('"owner":"ann"');
  });

  it('maps an identity and reprocesses, as the attribution guide says', async () => {
    const output = await execute('docs/guides/attribution.md');

    expect(output).toContain('"id":"map_');
    expect(output).toContain('succeeded');
  }, 300_000);

  it('reads a report, creates a budget and a bill source, and sends a bill, as the reports guide says', async () => {
    const output = await execute('docs/guides/reports.md');

    expect(output).toContain('"id":"mistral-2026-03.1","mode":"replace","state":"complete"');
    expect(output).toContain('"totals":');
    expect(output).toContain('"period_to_date_usd"');
    expect(output).toContain('"status":"pending"');
  }, 300_000);

  it('exports a FOCUS file and downloads it, as the exports guide says', async () => {
    const output = await execute('docs/guides/exports.md');

    expect(output).toContain('"status":"succeeded"');
    expect(output).toContain('BilledCost');
    expect(output).toContain('"row_count"');
  }, 300_000);

  it('creates a key, gets a token and registers an application, as the sign-in guide says', async () => {
    const output = await execute('docs/guides/sign-in.md');

    expect(output).toContain('"access_token"');
    expect(output).toContain('"owner":');
    expect(output).toContain('"client_secret"');
    expect(output).toContain('"email":"ann@example.org"');
    expect(output).toContain('"type":"api_key"');
  }, 300_000);

  it('reports and listens in a terminal, as the command line guide says', async () => {
    const timestamp = new Date().toISOString();
    const usage = codexUsage(1_000, 600, 100);
    writeSessions(join(checkout, 'home'), {
      'claude/projects/p/a.jsonl': [claudeLine({}, { timestamp })],
      'codex/sessions/rollout-a.jsonl': [codexMeta('t', timestamp), codexCount(timestamp, usage, usage)],
    });
    const output = await execute('docs/guides/command-line.md');

    expect(output).toMatch(/^tenant +Acme/m);
    expect(output).toMatch(/^claude-sonnet-4-5-20250929 +1 +21004/m);
    expect(output).toContain('"type":"export.completed"');
  }, 300_000);

  it('sets the recipients of notifications, as the notifications guide says', async () => {
    expect(await execute('docs/guides/notifications.md')).toContain('finops@example.org');
  }, 300_000);
});

it('the notifications guide shows a valid chat setting', () => {
  const setting = codeBlocksOf(textOf('docs/guides/notifications.md')).find(({ code }) =>
    code.includes('"chat"'),
  );

  expect(updateTenant.body.schema.parse(JSON.parse(setting?.code ?? ''))).toMatchObject({
    notifications: { chat: { url: expect.stringContaining('https://') } },
  });
});

it('the sign-in guide names all entries of credentials.json', () => {
  const { tenants, ...others } = instance.credentials;
  const guide = textOf('docs/guides/sign-in.md');
  const [tenant] = tenants;
  const entries = [
    ...Object.keys(others).filter((name) => !['base_url', 'environment'].includes(name)),
    ...Object.keys(tenant ?? {})
      .filter((name) => !['tenant_id', 'name', 'api_keys'].includes(name))
      .map((name) => `tenants[].${name}`),
    ...Object.keys(tenant?.api_keys ?? {}).map((name) =>
      name === 'read' ? '.read' : `tenants[].api_keys.${name}`,
    ),
  ];

  expect(entries.length).toBeGreaterThan(5);
  expect(entries.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});
