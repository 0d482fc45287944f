import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entries } from '../bin/build.ts';
import { percentile } from './traffic.ts';

const RUNS = 7;

/** Milliseconds to import a module in a fresh process; what the module then does with its environment is not waited for. */
const importTime = (file: string): number => {
  const script = `const began = performance.now();
    await import(${JSON.stringify(pathToFileURL(file).href)}).catch(() => undefined);
    console.log(performance.now() - began); process.exit();`;
  const env = { PATH: process.env['PATH'] ?? '', AWS_REGION: 'us-east-1', ...placeholders };
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }),
  );
};

/** Values for the variables a function reads at its start; nothing is called. */
const placeholders = Object.fromEntries(
  [
    ...['LEDGER', 'CLAIMS', 'TENANTS', 'ACCESS', 'LIMITS', 'IDEMPOTENCY'].map((name) => `TABLE_${name}`),
    ...['ACCEPTED', 'ACCEPTED_DEAD_LETTER'].map((name) => `QUEUE_${name}`),
    ...['SIGNING', 'CURSOR'].map((name) => `KEY_${name}`),
    'SOURCE_ACCEPTED',
  ]
    .map((name) => [name, 'none'])
    .concat([
      ['BASE_URL', 'http://127.0.0.1'],
      ['ENVIRONMENT', 'local'],
      ['PUBLIC_CONTRACT', 'false'],
    ]),
);

/** Size of each bundle, lazily loaded parts included, and the time a cold start spends importing it. */
export const benchBundles = (assets: string) =>
  entries.map(({ name }) => {
    const folder = join(assets, name);
    const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    const times = Array.from({ length: RUNS }, () => importTime(join(folder, 'index.mjs')));
    return { bundle: name, KB: Math.round(bytes / 1_000), 'import ms': percentile(times, 0.5) };
  });
