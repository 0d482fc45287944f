import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeClient } from '../../tools/sdk/typescript/writeClient.ts';

const root = resolve(import.meta.dirname, '../..');
const sources = join(root, 'sdk/typescript');

/** A project outside the repository that has only the packed package. */
let project: string;
const installed = (): string => join(project, 'node_modules/inference-attribution-client');

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

// About 4 s: npm packs as a user does, which compiles twice.
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-'));
  run('npm', ['pack', '--pack-destination', folder], sources);
  const [packed = ''] = readdirSync(folder);
  project = join(folder, 'project');
  mkdirSync(installed(), { recursive: true });
  run('tar', ['-xzf', join(folder, packed), '-C', installed(), '--strip-components=1'], project);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(resolve(project, '..'), { recursive: true, force: true }));

it('the emitted sources follow from the API document: run `npm run sdk` after a change', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-emitted-'));
  writeClient(folder);
  const files = readdirSync(folder);
  const emitted = files.map((name) => readFileSync(join(folder, name), 'utf8'));
  rmSync(folder, { recursive: true });

  expect(emitted).toEqual(files.map((name) => readFileSync(join(sources, 'src', name), 'utf8')));
});

it.each([
  ['an ES module', 'main.mjs', (name: string, path: string) => `import { ${name} } from '${path}';`],
  ['CommonJS', 'main.cjs', (name: string, path: string) => `const { ${name} } = require('${path}');`],
])('the packed package is used by %s of another project, without any other package', (_, file, load) => {
  writeFileSync(
    join(project, file),
    `${load('createClient, listBudgets', 'inference-attribution-client')}
     ${load('verifyWebhook', 'inference-attribution-client/webhooks')}
     const client = createClient({
       baseUrl: 'https://api.example.com/',
       credential: { apiKey: 'key' },
       fetch: async () => new Response(JSON.stringify({ data: [{ id: 'bud_1' }], page: { next_cursor: null } })),
     });
     listBudgets(client).then(({ data: [{ id }] }) => console.log(id, typeof verifyWebhook));`,
  );

  expect(run(process.execPath, [file], project)).toBe('bud_1 function\n');
  expect(JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'))).not.toHaveProperty(
    'dependencies',
  );
});

it.each([
  ['nodenext', ['main.mts', 'main.cts']],
  ['bundler', ['main.mts']],
])('the packed types are accepted by a strict project with the module resolution %s', (resolution, files) => {
  for (const file of files)
    writeFileSync(
      join(project, file),
      `import { createClient, createBudget, RateLimitError } from 'inference-attribution-client';
       import type { WebhookEvent } from 'inference-attribution-client/webhooks';
       const client = createClient({ baseUrl: '', credential: { apiKey: 'key' } });
       export const name: Promise<string> = createBudget(client, { name: 'a', ceiling_usd: '1', period: 'month' }).then((budget) => budget.name);
       // @ts-expect-error: the period is an enum
       createBudget(client, { name: 'a', ceiling_usd: '1', period: 'decade' });
       export type Both = RateLimitError | WebhookEvent;`,
    );
  const options = [
    '--strict',
    '--noEmit',
    '--exactOptionalPropertyTypes',
    '--target',
    'es2022',
    '--types',
    '',
  ];
  const compile = () =>
    run(
      join(root, 'node_modules/.bin/tsc'),
      [
        ...options,
        ...['--module', resolution === 'bundler' ? 'esnext' : resolution, '--moduleResolution', resolution],
        ...['--lib', 'es2022,dom,dom.iterable', ...files],
      ],
      project,
    );

  expect(compile).not.toThrow();
});

it('all packages have the version of the repository, and a changelog', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const python = join(root, 'sdk/python');
  const versions = [
    JSON.parse(readFileSync(join(sources, 'package.json'), 'utf8')).version,
    JSON.parse(readFileSync(join(root, 'sdk/cli/package.json'), 'utf8')).version,
    /^version = "(.+)"$/m.exec(readFileSync(join(python, 'pyproject.toml'), 'utf8'))?.[1],
    /python\/(.+)"/.exec(readFileSync(join(python, 'src/inference_attribution/transport.py'), 'utf8'))?.[1],
  ];

  expect(versions).toEqual(versions.map(() => version));
  for (const folder of ['typescript', 'cli', 'python'])
    expect(readFileSync(join(root, 'sdk', folder, 'CHANGELOG.md'), 'utf8')).toContain(`## ${version}`);
});

it.each([
  ['all of the client', "export * from 'inference-attribution-client';", 5_500],
  [
    'one operation',
    "import { createClient, postInvocation } from 'inference-attribution-client'; globalThis.send = (key, event) => postInvocation(createClient({ baseUrl: '', credential: { apiKey: key } }), event);",
    2_650,
  ],
  ['the tracker', "export * from 'inference-attribution-client/tracker';", 6_400],
  ['the lookup', "export * from 'inference-attribution-client/lookup';", 2_500],
])('%s is small in a bundle for browsers', async (_, contents, maximumBytes) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: project },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });

  expect(gzipSync(outputFiles[0]?.contents ?? '').byteLength).toBeLessThan(maximumBytes);
});
