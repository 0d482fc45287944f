import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { variablesOf } from '../../local/lambda/variables.ts';
import type { FunctionDeclaration } from '../../local/template/functions.ts';
import { functionEntries } from '../../tools/build/functionEntries.ts';
import type { MeasuredService } from '../support/service.ts';
import { median } from '../support/statistics.ts';
import { type Row, type Table, table } from '../support/table.ts';

const RUNS = 7;

const Import = z.object({ wall: z.number(), cpu: z.number() });

/** Milliseconds to import a bundle in a new process with the environment of the function. Throws when the import fails. */
const importOnce = ({ file }: FunctionDeclaration, env: Record<string, string>): z.infer<typeof Import> => {
  const script = `const startedAt = performance.now(); const before = process.cpuUsage();
    await import(${JSON.stringify(pathToFileURL(file).href)});
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ wall: performance.now() - startedAt, cpu: (user + system) / 1000 })); process.exit();`;
  const args = ['--input-type=module', '-e', script];
  return Import.parse(JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' })));
};

const bytesIn = (folder: string): number =>
  readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

/** Size of each bundle, including chunks loaded on demand, and its import time in a cold start. */
export const benchColdStart = ({ functionOf, assets }: MeasuredService): Table => {
  const rows = functionEntries.map(({ name }): Row => {
    const size = bytesIn(join(assets, name));
    const worker = name.endsWith('.worker');
    const bundle = name.replace('.worker', '');
    const prefix = `${worker ? 'Workers' : 'Units'}${bundle.charAt(0).toUpperCase()}${bundle.slice(1)}Function`;
    const declaration = functionOf(prefix);
    const runs = Array.from({ length: RUNS }, () => importOnce(declaration, variablesOf(declaration, {})));
    return {
      bundle: name,
      KB: Math.round(size / 1_000),
      'import ms': median(runs.map(({ wall }) => wall)),
      'import CPU ms': median(runs.map(({ cpu }) => cpu)),
    };
  });
  return table(
    'Cold start: bundle size and import time',
    rows,
    `Median of ${RUNS} imports, each in a new process.`,
  );
};
