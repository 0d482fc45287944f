import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type ConsoleFiles, FILE_LIST } from '../../functions/platform/console/consoleFile.ts';
import { cachedFolder } from './buildCache.ts';

const root = resolve(import.meta.dirname, '../..');
const CONFIGURATION = 'console/vite.config.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
/** Compressed formats do not get smaller. */
const INCOMPRESSIBLE = new Set(['.png', '.woff2']);

const contentTypeOf = (name: string): string => {
  const contentType = contentTypes[extname(name)];
  if (contentType === undefined) throw new Error(`The console has a file of an unknown type: ${name}`);
  return contentType;
};

/** What the console is built from. It imports the client of the API, and what it shares with the command line. */
const SOURCES = ['console/**/*', 'sdk/shared/**/*', 'sdk/typescript/src/**/*'];

/** A hash over the sources of the console and the versions of packages. */
export const consoleKey = (source = root): string => {
  const hash = createHash('sha256');
  const settings = ['package-lock.json', 'node_modules/.package-lock.json', 'tools/build/consoleBuild.ts'];
  for (const path of [...globSync(SOURCES, { cwd: source }).sort(), ...settings]) {
    const file = join(source, path);
    if (!existsSync(file) || statSync(file).isDirectory()) continue;
    const content = readFileSync(file);
    hash.update(`${path}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
};

/** Compresses the files once, because the gateway does not, and writes the list of all files. */
const finishFiles = (folder: string): void => {
  const names = globSync('**/*', { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile());
  const files: ConsoleFiles = {};
  for (const name of names.map((path) => path.replaceAll('\\', '/')).sort()) {
    const content = readFileSync(join(folder, name));
    const isCompressed = !INCOMPRESSIBLE.has(extname(name));
    if (isCompressed) {
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength };
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params }));
      writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
    }
    const digest = createHash('sha256').update(content).digest('base64url');
    files[name] = { contentType: contentTypeOf(name), digest, isCompressed };
  }
  writeFileSync(join(folder, FILE_LIST), JSON.stringify(files));
};

/**
 * The folder of the built console, from the cache. Vite builds it once for a state of its sources. Rejects with the errors
 * of Vite.
 */
export const cachedConsole = (): Promise<string> =>
  cachedFolder(`console-${consoleKey()}`, async (folder) => {
    const { build } = await import('vite');
    // Vite takes it from the environment. Under another value, such as that of tests, it packs the React of development.
    const { NODE_ENV: environment } = process.env;
    process.env['NODE_ENV'] = 'production';
    try {
      await build({
        configFile: join(root, CONFIGURATION),
        logLevel: 'warn',
        build: { outDir: folder, emptyOutDir: false },
      });
    } finally {
      if (environment === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = environment;
    }
    finishFiles(folder);
  });

/** Puts the built console beside the bundle of the function that serves it. */
export const addConsole = (builtConsole: string, bundles: string): void =>
  cpSync(builtConsole, join(bundles, 'console', 'files'), { recursive: true });
