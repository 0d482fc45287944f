import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type BuildResult, build as bundle, stop as stopBundler } from 'esbuild';
import { workerNames } from '../schemas/platform/workers.ts';
import { units } from '../schemas/routes/route.ts';

const root = resolve(import.meta.dirname, '..');

/** One asset folder, for one Lambda function. */
export interface Entry {
  /** `<unit>`, or `<name>.worker`. */
  readonly name: string;
  readonly source: string;
}

/** The Lambda entry file of every unit and worker. The path follows from the name. */
export const entries: readonly Entry[] = [
  ...units.map((unit) => ({ name: unit, source: `functions/entries/api/${unit}.unit.ts` })),
  ...workerNames.map((worker) => ({
    name: `${worker}.worker`,
    source: `functions/entries/workers/${worker}.worker.ts`,
  })),
];

/**
 * Credential providers that a Lambda function never uses, because its environment contains credentials.
 * The SDK imports each of them on demand. Excluding them is safe and halves a small bundle.
 */
const unusedCredentialSources = [
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-login',
  '@aws-sdk/credential-provider-web-identity',
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/token-providers',
  '@smithy/credential-provider-imds',
];

/** Some dependencies are CommonJS and call `require` for built-in Node modules. */
const requireBanner = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/**
 * Splitting puts modules that are imported on demand (price catalogue, signing client) in separate files, which are not
 * loaded at start. Splitting would also share files between entries, so each entry has its own bundler call. Then every
 * asset folder is complete.
 */
const bundleEntry = ({ name, source }: Entry, outdir: string) =>
  bundle({
    absWorkingDir: root,
    entryPoints: { index: source },
    outdir: join(outdir, name),
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    outExtension: { '.js': '.mjs' },
    external: unusedCredentialSources,
    banner: { js: requireBanner },
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'warning',
  });

const write = async (path: string, contents: Uint8Array | string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
};

/** Writes source maps and the metafile beside the asset folder. Inside, they would slow cold starts and change its hash. */
const writeEntry = async (
  name: string,
  { outputFiles = [], metafile }: BuildResult<{ write: false; metafile: true }>,
  outdir: string,
): Promise<void> => {
  const asset = join(outdir, name);
  await Promise.all([
    write(join(outdir, `${name}.meta.json`), JSON.stringify(metafile)),
    ...outputFiles.map(({ path, contents }) =>
      write(path.endsWith('.map') ? join(outdir, 'maps', name, relative(asset, path)) : path, contents),
    ),
  ]);
};

/**
 * Bundles every function into `<outdir>/<name>/index.mjs` and writes `<outdir>/<name>.meta.json`. The output is
 * reproducible. The previous output is removed only after everything compiled. Resolves to the names of the functions.
 * Rejects with esbuild's errors.
 */
export const build = async (outdir = join(root, 'dist')): Promise<string[]> => {
  const results = await Promise.all(
    entries.map(async (entry) => ({ name: entry.name, result: await bundleEntry(entry, outdir) })),
  );
  // Otherwise the bundler process would keep about 300 MB while the local service runs.
  await stopBundler();
  await rm(outdir, { recursive: true, force: true });
  await Promise.all(results.map(({ name, result }) => writeEntry(name, result, outdir)));
  return entries.map(({ name }) => name);
};

if (import.meta.main) {
  const started = performance.now();
  const names = await build();
  console.log(
    `Built ${names.length} functions in ${Math.round(performance.now() - started)} ms: ${names.join(', ')}`,
  );
}
