import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** One import of a source file. */
export interface Import {
  readonly from: string;
  /** A path from the project root, or the name of a package. */
  readonly target: string;
  /** `import type`: it disappears when the file is compiled. */
  readonly typeOnly: boolean;
}

const packageOf = (specifier: string): string =>
  specifier.startsWith('node:')
    ? specifier
    : specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

const PATTERN =
  /^(?:import|export)( type)? ([^;'"]*?)from '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm;

/** `{ type A, type B }` imports no value, exactly as `import type { A, B }`. */
const namesTypesOnly = (clause: string): boolean => {
  const names = /^\{([^}]*)\}\s*$/
    .exec(clause.trim())?.[1]
    ?.split(',')
    .map((name) => name.trim());
  return names?.filter((name) => name !== '').every((name) => name.startsWith('type ')) ?? false;
};

/** The imports of the file `from` with the content `text`, dynamic imports included. */
export const importsOf = (from: string, text: string): Import[] =>
  [...text.matchAll(PATTERN)].map(([, type, clause = '', ...specifiers]) => {
    const specifier = specifiers.find((found) => found !== undefined) ?? '';
    const target = specifier.startsWith('.')
      ? // `?gzip` asks the bundler for a compressed file.
        normalize(join(dirname(from), specifier.replace(/\?gzip$/, '')))
      : packageOf(specifier);
    return { from, target, typeOnly: type !== undefined || namesTypesOnly(clause) };
  });

/** Every source file outside the tests, by its path from the project root. */
export const sources: ReadonlyMap<string, string> = new Map(
  globSync('{bin,console/src,lib,functions,schemas,local,tools}/**/*.{ts,tsx}').map(
    (path) => [path, readFileSync(path, 'utf8')] as const,
  ),
);

export const imports: readonly Import[] = [...sources].flatMap(([path, text]) => importsOf(path, text));

export const isFile = ({ target }: Import): boolean => existsSync(target);

export const isWithin = (path: string, ...folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`));
