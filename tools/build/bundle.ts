import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, type BuildResult, build as esbuild, stop as stopBundler } from 'esbuild';
import { compressedFiles } from './compressedFiles.ts';
import { type FunctionEntry, functionEntries } from './functionEntries.ts';

const root = resolve(import.meta.dirname, '../..');

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

/** Native code, of which a bundle loads the package of its machine. */
const nativePackages = ['@duckdb/node-bindings-*'];

/** Some dependencies are CommonJS and call `require` for built-in Node modules. */
const requireBanner = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/** Splitting keeps modules that are imported on demand (price catalogue, signing client) out of the start. */
const sharedOptions = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  outExtension: { '.js': '.mjs' },
  external: [...unusedCredentialSources, ...nativePackages],
  banner: { js: requireBanner },
  legalComments: 'none',
  loader: { '.gz': 'binary' },
  plugins: [compressedFiles],
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Splitting would also share files between entries. With its own bundler call, each asset folder is complete. */
const bundleEntry = ({ name, source }: FunctionEntry, outdir: string) =>
  esbuild({
    ...sharedOptions,
    entryPoints: { index: source },
    outdir: join(outdir, name),
    sourcemap: 'external',
    sourcesContent: false,
    metafile: true,
    write: false,
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
 * Bundles functions for deployment, by default all of them, into `<outdir>/<name>/index.mjs`, with
 * `<outdir>/<name>.meta.json`. The output is reproducible. The previous output is removed only after everything compiled.
 * Rejects with esbuild's errors.
 */
export const bundleForDeployment = async (
  outdir: string,
  entries: readonly FunctionEntry[] = functionEntries,
): Promise<void> => {
  const results = await Promise.all(
    entries.map(async (entry) => ({ name: entry.name, result: await bundleEntry(entry, outdir) })),
  );
  await stopBundler();
  await rm(outdir, { recursive: true, force: true });
  await Promise.all(results.map(({ name, result }) => writeEntry(name, result, outdir)));
};

/**
 * Bundles every function for this machine, into `<outdir>/<name>/index.mjs`. One bundler call parses each module once, which
 * takes a tenth of the CPU time of `bundleForDeployment`. The functions share the files in `<outdir>/chunks`. Rejects with
 * esbuild's errors.
 */
export const bundleForThisMachine = async (outdir: string): Promise<void> => {
  await esbuild({
    ...sharedOptions,
    entryPoints: Object.fromEntries(functionEntries.map(({ name, source }) => [`${name}/index`, source])),
    chunkNames: 'chunks/[name]-[hash]',
    outdir,
  });
  // Otherwise the bundler process would keep about 300 MB while the local service runs.
  await stopBundler();
};
