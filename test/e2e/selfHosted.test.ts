import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeBlocksOf, textOf } from '../docs/pages.ts';
import { call, listAllRecords } from '../support/client.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

let service: Awaited<ReturnType<typeof sharedInstance>>;
beforeAll(async () => {
  service = await sharedInstance();
});
afterAll(() => service?.stop());

it('runs the commands of the guide: pools are stated, a call waits for its hour, and lines are read', async () => {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local/credentials.json'), JSON.stringify(service.credentials));
  const commands = codeBlocksOf(textOf('docs/guides/self-hosted.md'))
    .map(({ code }) => code)
    .filter((code) => code.includes('$'))
    .join('\necho\n')
    .replaceAll('http://127.0.0.1:3000', service.baseUrl);

  // The service runs in this process, which must not wait for the commands.
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: folder,
  });

  const [pools, accepted, hours] = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): unknown => JSON.parse(line));
  expect(pools).toMatchObject({ pools: [{ name: 'h100-frankfurt', rates: [{}, { nodes: 3 }] }] });
  expect(accepted).toHaveProperty('invocation_id');
  expect(hours).toEqual({ lines: [], totals: { cost_usd: '0', charged_usd: '0', idle_usd: '0' } });
  const { admin } = demoTenants(service.credentials).acme.api_keys;
  expect((await call(service.baseUrl, '/api/v1/node-pools', { key: admin })).body).toEqual(pools);
  await service.runtime.idle();
  expect(await listAllRecords(service.baseUrl, admin)).toMatchObject([
    { cost_usd: null, interpretation: { unknown: { cost: 'node_hour_open' } } },
  ]);
});
