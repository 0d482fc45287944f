import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Plugin } from 'esbuild';

const SUFFIX = '?gzip';
const NAMESPACE = 'gzip';
const compress = promisify(gzip);

/** Makes `import file from './file.js?gzip'` the bytes of the file, compressed with gzip. */
export const compressedFiles: Plugin = {
  name: 'compressed files',
  setup(build) {
    build.onResolve({ filter: /\?gzip$/ }, async ({ path, resolveDir, kind }) => ({
      ...(await build.resolve(path.slice(0, -SUFFIX.length), { resolveDir, kind })),
      namespace: NAMESPACE,
    }));
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, async ({ path }) => ({
      contents: await compress(await readFile(path), { level: 9 }),
      loader: 'binary',
    }));
  },
};
