import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventIdOfCall } from '../../functions/ingest/formats/observedCall.ts';
import { updateTenant } from '../../schemas/routes/tenants/tenant.ts';
import { claudeLine, codexCount, codexMeta, codexUsage, writeSessions } from '../sdk/agentSessions.ts';
import { expectNoFaults } from '../support/faults.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { documentedOutputs, marked, outputFaults, readMarked } from './documentedOutput.ts';
import { isExecuted, notExecuted, notExecutedSubcommands } from './notExecuted.ts';
import { codeBlocksOf, pages, textOf } from './pages.ts';

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

const SHELL: ReadonlySet<string> = new Set(['', 'sh']);
const shellBlocksOf = (page: string): string[] =>
  codeBlocksOf(textOf(page))
    .filter(({ language }) => SHELL.has(language))
    .map(({ code }) => code);

/** The commands of a page as one script, with marks around those whose output the page shows. */
const scriptOf = (page: string): string => {
  const shown = documentedOutputs(textOf(page));
  return shellBlocksOf(page)
    .filter((code) => isExecuted(page, code))
    .map((code) => (shown.has(code) ? marked(code) : code))
    .join('\n')
    .replaceAll(DOCUMENTED_ADDRESS, instance.baseUrl);
};

const execute = async (page: string, more = ''): Promise<string> => {
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', `${scriptOf(page)}\n${more}`], {
    cwd: checkout,
    env: {
      ...process.env,
      CURL_HOME: join(checkout, 'home'),
      XDG_CONFIG_HOME: join(checkout, 'home'),
      CLAUDE_CONFIG_DIR: join(checkout, 'home', 'claude'),
      CODEX_HOME: join(checkout, 'home', 'codex'),
    },
    timeout: 500_000,
    maxBuffer: 64 * 1_024 * 1_024,
  });
  const { text, last } = readMarked(stdout);
  const shown = [...documentedOutputs(textOf(page)).values()];
  expect(last).toHaveLength(shown.length);
  await expectNoFaults(
    shown.entries(),
    ([index]) => `output ${index + 1} of ${page}`,
    ([index, documented]) => outputFaults(documented, JSON.parse(last[index] ?? '')),
  );
  return text;
};

const COMMAND_LINE = 'docs/guides/command-line.md';

/** The commands of the table of the command line, with ids that exist. */
const subcommandsOfTable = (): string[] => {
  const [, table = ''] = textOf(COMMAND_LINE).split('| Command | Shows |\n');
  const [rows = ''] = table.split('\n\n');
  const named = rows
    .split('\n')
    .flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
  const isRun = (text: string) =>
    !notExecutedSubcommands.some((name) => text === name || text.startsWith(`${name} `));
  const idOf = (name: string, list: string, member: string) =>
    `${name}=$(attribution ${list} --limit 1 --json | node -p "JSON.parse(fs.readFileSync(0, 'utf8')).data[0].${member}")`;
  return [
    idOf('RECORD', 'records', 'id'),
    idOf('JOB', 'jobs', 'job_id'),
    ...named
      .filter(isRun)
      .map((text) => `attribution ${text.replace(/\bID$/, text.startsWith('jobs') ? '$JOB' : '$RECORD')}`),
  ];
};

/** Runs a program of a README in a folder of its own, which has nothing of the checkout. */
const inProject = async (
  page: string,
  language: string,
  prelude: string,
  command: readonly string[],
  file: string,
) => {
  const project = join(temporaryDirectory(), 'project');
  mkdirSync(project, { recursive: true });
  const { admin } = demoTenants(instance.credentials).acme.api_keys;
  const program = codeBlocksOf(textOf(page))
    .filter((block) => block.language === language && isExecuted(page, block.code))
    .map(({ code }) => code)
    .join('\n')
    .replaceAll(/https:\/\/api\.example\.com|http:\/\/127\.0\.0\.1:3000/g, instance.baseUrl)
    .replaceAll(/YOUR_(?:INGEST_|LOOKUP_)?(?:API_)?KEY/g, admin);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, file), `${prelude}\n${program}`);
  const shell = [
    shellBlocksOf(page)
      .filter((code) => isExecuted(page, code))
      .join('\n')
      .replaceAll('/path/to/inference-attribution', resolve('.'))
      .replaceAll('https://api.example.com', instance.baseUrl)
      .replaceAll('npx attribution login', 'printf %s "$API_KEY" | npx attribution login'),
    command.join(' '),
  ].join('\n');
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', shell], {
    cwd: project,
    env: {
      ...process.env,
      API_KEY: admin,
      PYTHONPATH: resolve('sdk/python/src'),
      XDG_CONFIG_HOME: project,
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    },
  });
  return stdout;
};

/** Commands between backticks in the tables of a page. */
const tableCommandsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^\|.*$/gm)].flatMap(([row]) =>
    [...row.matchAll(/`((?:npm|npx|pip|curl|aws|attribution|node) [^`]+)`/g)].map(([, text = '']) => text),
  );

it('every command of README, guides and packages is executed, or says why not', async () => {
  const documented = pages.filter((page) => /^(?:README|docs\/guides\/.+|sdk\/\w+\/README)\.md$/.test(page));
  const source = readFileSync(import.meta.filename, 'utf8');
  await expectNoFaults(documented, String, (page) => {
    const open = [...shellBlocksOf(page), ...tableCommandsOf(page)].filter((code) => isExecuted(page, code));
    return source.includes(`'${page}'`) ? [] : open;
  });
  // Table commands are no part of the script of their page.
  await expectNoFaults(documented, String, (page) =>
    tableCommandsOf(page).filter((code) => isExecuted(page, code)),
  );
  await expectNoFaults(
    notExecuted,
    ([page, words]) => `${page} ${words}`,
    ([page, words]) => (textOf(page).includes(words) ? [] : ['is on no page']),
  );
});

describe('the documented commands', () => {
  it('sends a first event and reads its record, as the README says', async () => {
    writeFileSync(
      join(checkout, 'trace.csv'),
      'TIMESTAMP,ContextTokens,GeneratedTokens\n2026-11-20 10:00:00.000,100,10\n',
    );

    const output = await execute('README.md');

    expect(output).toContain('"status":"queued"');
    expect(output).toContain('"owner":"team-search"');
    expect(output).toContain('"cost_usd":"0.006"');
  });

  it('looks up a call before it is made, as the lookup guide says', async () => {
    expect(await execute('docs/guides/lookup.md')).toContain('"owner":"team-search"');
  });

  it('maps an identity and reprocesses, as the attribution guide says', async () => {
    const output = await execute('docs/guides/attribution.md');

    expect(output).toContain('"id":"map_');
    expect(output).toContain('succeeded');
  });

  it('states node pools, sends a call and reads what is idle, as the guide of own GPUs says', async () => {
    const output = await execute('docs/guides/self-hosted.md');

    expect(output).toContain('"name":"h100-frankfurt"');
    expect(output).toContain('"status":"queued"');
    expect(output).toContain('"idle_usd":"0"');
  });

  it('reads a report, creates a budget and a bill source, and sends a bill, as the reports guide says', async () => {
    const output = await execute('docs/guides/reports.md');

    expect(output).toContain('"volume_usd":');
    expect(output).toContain('"id":"mistral-2026-03.1","mode":"replace","state":"complete"');
    expect(output).toContain('"totals":');
    expect(output).toContain('"period_to_date_usd"');
    expect(output).toContain('"status":"pending"');
  });

  it('exports a FOCUS file and downloads it, as the exports guide says', async () => {
    const output = await execute('docs/guides/exports.md');

    expect(output).toContain('"status":"succeeded"');
    expect(output).toContain('BilledCost');
    expect(output).toContain('"row_count"');
  });

  it('checks a destination and delivers an export to it, as the guide of export delivery says', async () => {
    // The worker runs every minute.
    const timer = setInterval(() => void instance.runtime.runSchedule('WorkersExportDelivery'), 1_000);
    const output = await execute('docs/guides/export-delivery.md').finally(() => clearInterval(timer));

    expect(output).toContain('"state":"working"');
    expect(output).toContain('"state":"delivered"');
  });

  it('creates a key, gets a token and registers an application, as the sign-in guide says', async () => {
    const output = await execute('docs/guides/sign-in.md');

    expect(output).toContain('"access_token"');
    expect(output).toContain('"owner":');
    expect(output).toContain('"client_secret"');
    expect(output).toContain('"email":"ann@example.org"');
    expect(output).toContain('"type":"api_key"');
  });

  it('reports and listens in a terminal, as the command line guide says', async () => {
    const timestamp = new Date().toISOString();
    const usage = codexUsage(1_000, 600, 100);
    writeSessions(join(checkout, 'home'), {
      'claude/projects/p/a.jsonl': [claudeLine({}, { timestamp })],
      'codex/sessions/rollout-a.jsonl': [codexMeta('t', timestamp), codexCount(timestamp, usage, usage)],
    });
    const output = await execute('docs/guides/command-line.md', subcommandsOfTable().join('\n'));

    expect(output).toMatch(/^tenant +Acme/m);
    expect(output).toMatch(/^claude-sonnet-4-5-20250929 +1 +21004/m);
    expect(output).toContain('"type":"export.completed"');
  });

  it('sends a log object and an event of a gateway, as the call logs guide says', async () => {
    const log = {
      schemaType: 'ModelInvocationLog',
      schemaVersion: '1.0',
      timestamp: new Date().toISOString(),
      accountId: '111122223333',
      region: 'us-east-1',
      requestId: '6f1f8f2e-8c61-4a0e-9b43-0d7f5b1f1c77',
      operation: 'Converse',
      modelId: 'anthropic.claude-3-5-sonnet-20240620-v1:0',
      input: { inputTokenCount: 10 },
      output: { outputTokenCount: 5 },
    };
    writeFileSync(join(checkout, 'invocations.json.gz'), gzipSync(`${JSON.stringify(log)}\n`));

    expect((await execute('docs/guides/call-logs.md')).match(/"accepted":1/g)).toHaveLength(2);
  });

  it('points an exporter to the service, and derives the id of a call, as the OpenTelemetry guide says', async () => {
    const output = await execute(
      'docs/guides/opentelemetry.md',
      `curl -s "$OTEL_EXPORTER_OTLP_ENDPOINT/v1/traces" -H "\${OTEL_EXPORTER_OTLP_HEADERS/=/: }" \\
        -H 'Content-Type: application/json' -d '{"resourceSpans": []}' -w 'status %{http_code}'
      curl -s "$GEMINI_TELEMETRY_OTLP_ENDPOINT/v1/logs" -H "X-API-Key: $INGEST_KEY" \\
        -H 'Content-Type: application/json' -d '{"resourceLogs": []}' -w 'status %{http_code}'`,
    );

    expect(output).toContain(eventIdOfCall('chatcmpl-AbCdEfGh123456789'));
    expect(output.match(/status 200/g)).toHaveLength(2);
    expect(output).toContain('"owner":"team-commerce"');
  });

  it('registers a connector, and a bill source with a role, as the guides say', async () => {
    expect(await execute('docs/guides/partners.md')).toContain('"client_secret"');
    expect(await execute('docs/guides/aws-bills.md')).toContain('"trusted_role_arn"');
  });

  it('loads prices and reprocesses, as the prices guide says', async () => {
    const [file] = codeBlocksOf(textOf('docs/guides/prices.md')).filter(
      ({ language }) => language === 'json',
    );
    writeFileSync(join(checkout, 'prices.json'), file?.code ?? '');

    expect(await execute('docs/guides/prices.md')).toContain('acme-large-2');
  });

  it('starts the server of an agent, as the agents guide says', async () => {
    const [block] = codeBlocksOf(textOf('docs/guides/agents.md'));
    const { command, args, env } = JSON.parse(block?.code ?? '').mcpServers['inference-attribution'];
    const ask = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

    const { stdout } = await run(
      'bash',
      [
        '-c',
        `printf '%s\\n' "$ASK" | ${[command, ...args].join(' ').replace('/path/to/inference-attribution', resolve('.'))}`,
      ],
      {
        env: {
          ...process.env,
          ...env,
          ATTRIBUTION_URL: instance.baseUrl,
          ATTRIBUTION_API_KEY: demoTenants(instance.credentials).acme.api_keys.admin,
          ASK: JSON.stringify(ask),
        },
      },
    );

    expect(JSON.parse(stdout).result.tools.length).toBeGreaterThan(5);
  });

  it('sends and reads calls from an empty project, as the README of the TypeScript client says', async () => {
    const prelude = `process.env.ATTRIBUTION_API_KEY = process.env.API_KEY;
class OpenAI { options; constructor(options) { this.options = options; } }`;

    const output = await inProject(
      'sdk/typescript/README.md',
      'ts',
      prelude,
      ['echo "if (!(await tracker.flush(20_000))) process.exit(1);" >> main.ts;', 'node main.ts'],
      'main.ts',
    );

    expect(output).toContain('team-search');
  });

  it('reads, records and looks up from an empty project, as the README of the Python client says', async () => {
    const output = await inProject(
      'sdk/python/README.md',
      'python',
      '',
      ['echo "assert tracker.flush(20)" >> main.py; python3 main.py'],
      'main.py',
    );

    expect(output).toContain("'invocations'");
  });

  it('reports from an empty project, as the README of the command line says', async () => {
    const output = await inProject('sdk/cli/README.md', '', 'API_KEY', [], 'key');

    expect(output).toContain('OWNER');
  });

  it('sets the recipients of notifications, as the notifications guide says', async () => {
    expect(await execute('docs/guides/notifications.md')).toContain('finops@example.org');
  });
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
