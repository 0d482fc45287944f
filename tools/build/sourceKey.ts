import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Everything that the bundles and the template depend on: sources, build options, and the versions of packages. */
const SOURCES = ['functions', 'schemas', 'lib', 'tools/build'];
const SETTINGS = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  // Written by npm after each change of node_modules. It can differ from the lock file above.
  'node_modules/.package-lock.json',
];

/** A hash over the paths and contents of all build inputs. Modification times do not count. */
export const sourceKey = (folder = root): string => {
  const hash = createHash('sha256');
  const sources = SOURCES.flatMap((source) =>
    globSync(`${source}/**/*.{ts,json,js,css,txt,gz}`, { cwd: folder }).map((path) =>
      path.replaceAll('\\', '/'),
    ),
  ).sort();
  for (const path of [...sources, ...SETTINGS]) {
    const file = join(folder, path);
    const content = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    // The length separates the content from the next path.
    hash.update(`${path}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
};
