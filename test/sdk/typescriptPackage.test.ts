import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

// About 3 s: the compiler and npm start processes.
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-'));
  const copy = join(folder, 'package');
  cpSync(sources, copy, { recursive: true, filter: (path) => !path.endsWith('/dist') });
  run(join(root, 'node_modules/.bin/tsc'), ['-p', sources, '--outDir', join(copy, 'dist')], root);
  const [{ filename = '' } = {}] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts'], copy));
  project = join(folder, 'project');
  mkdirSync(installed(), { recursive: true });
  run('tar', ['-xzf', join(copy, filename), '-C', installed(), '--strip-components=1'], project);
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

it('the packed package is imported from another project, without any other package', () => {
  writeFileSync(
    join(project, 'main.js'),
    `import { createClient, listBudgets } from 'inference-attribution-client';
     import { verifyWebhook } from 'inference-attribution-client/webhooks';
     const client = createClient({
       baseUrl: 'https://api.example.com/',
       credential: { apiKey: 'key' },
       fetch: async () => new Response(JSON.stringify({ data: [{ id: 'bud_1' }], page: { next_cursor: null } })),
     });
     for await (const { id } of listBudgets(client)) console.log(id, typeof verifyWebhook);`,
  );

  expect(run(process.execPath, ['main.js'], project)).toBe('bud_1 function\n');
  expect(JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'))).not.toHaveProperty(
    'dependencies',
  );
});

it('the packed types are accepted in a strict project', () => {
  writeFileSync(
    join(project, 'main.ts'),
    `import { createClient, createBudget, RateLimitError } from 'inference-attribution-client';
     import type { WebhookEvent } from 'inference-attribution-client/webhooks';
     const client = createClient({ baseUrl: '', credential: { apiKey: 'key' } });
     const name: string = (await createBudget(client, { name: 'a', ceiling_usd: '1', period: 'month' })).name;
     // @ts-expect-error: the period is an enum
     await createBudget(client, { name, ceiling_usd: '1', period: 'decade' });
     export type Both = RateLimitError | WebhookEvent;`,
  );
  const options = ['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--target', 'es2022'];
  const compile = () =>
    run(
      join(root, 'node_modules/.bin/tsc'),
      [...options, '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable', '--types', '', 'main.ts'],
      project,
    );

  expect(compile).not.toThrow();
});

it.each([
  ['all of the client', "export * from 'inference-attribution-client';", 4_850],
  [
    'one operation',
    "import { createClient, postInvocation } from 'inference-attribution-client'; globalThis.send = (key, event) => postInvocation(createClient({ baseUrl: '', credential: { apiKey: key } }), event);",
    2_650,
  ],
  ['the tracker', "export * from 'inference-attribution-client/tracker';", 4_400],
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
