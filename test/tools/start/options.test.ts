import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nextSteps } from '../../../tools/start/nextSteps.ts';
import { readOptions } from '../../../tools/start/options.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

it('allows only the webhook hosts that are named', () => {
  const options = readOptions(
    ['--allow-webhook-host', 'localhost:8443', '--allow-webhook-host', '127.0.0.1:9443', '--ca', 'ca.pem'],
    {},
  );

  expect(options).toMatchObject({ allowWebhookHosts: ['localhost:8443', '127.0.0.1:9443'], ca: 'ca.pem' });
  expect(readOptions([], {})).toMatchObject({ allowWebhookHosts: [], ca: undefined });
});

it.each(['localhost', 'localhost:', 'https://localhost:8443', 'a:1,b:2', 'me@localhost:1', ''])(
  'throws for the webhook host %j',
  (host) => {
    expect(() => readOptions(['--allow-webhook-host', host], {})).toThrow('--allow-webhook-host');
  },
);

it('prints commands that read the keys from their file, so that no output holds one', () => {
  const file = join(temporaryDirectory(), 'credentials.json');
  writeFileSync(
    file,
    JSON.stringify({ tenants: [{ api_keys: { ingest: 'ask_ingest', read: 'ask_read' } }] }),
  );

  const printed = nextSteps('http://127.0.0.1:3000', file);
  const headers = [...printed.matchAll(/-H ("X-API-Key: [^\n]*?\)")/g)].map(([, header = '']) => header);

  expect(printed).not.toContain('ask_');
  expect(
    headers.map((header) => execFileSync('sh', ['-c', `printf %s ${header}`], { encoding: 'utf8' })),
  ).toEqual(['X-API-Key: ask_ingest', 'X-API-Key: ask_read']);
});

it('says what to do when the Node version of the project is not installed yet', () => {
  // A Node that cannot load TypeScript, like an older version.
  const { status, stderr } = spawnSync(process.execPath, ['--no-strip-types', 'bin/local.mjs', '--help'], {
    encoding: 'utf8',
  });

  expect([status, stderr]).toEqual([1, expect.stringContaining('Run npm ci')]);
});

it.runIf(process.platform === 'linux')('starts without helper threads for garbage', () => {
  // Ends the process that it starts itself as.
  const print = 'if (process.env.MALLOC_ARENA_MAX) { console.error(process.execArgv[0]); process.exit(); }';
  const { MALLOC_ARENA_MAX: _, ...env } = process.env;
  const { stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${print}`, 'bin/local.mjs', '--help'],
    { encoding: 'utf8', env },
  );

  expect(stderr).toBe('--single-threaded-gc\n');
});
