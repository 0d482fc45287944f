import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const FILE_LINES_MAXIMUM = 250;

interface Import {
  readonly from: string;
  /** A path from the root of the project, or the name of a package. */
  readonly target: string;
  readonly typeOnly: boolean;
}

const packageOf = (specifier: string): string =>
  specifier.startsWith('node:')
    ? specifier
    : specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

const importsOf = (from: string, text: string): Import[] =>
  [
    ...text.matchAll(
      /^(import|export)( type)? [^;'"]*?from '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm,
    ),
  ].map(([, , type, ...specifiers]) => {
    const specifier = specifiers.find((found) => found !== undefined) ?? '';
    const target = specifier.startsWith('.')
      ? normalize(join(dirname(from), specifier))
      : packageOf(specifier);
    return { from, target, typeOnly: type !== undefined };
  });

const sources = new Map(
  globSync('{bin,lib,functions,schemas,local}/**/*.ts').map(
    (path) => [path, readFileSync(path, 'utf8')] as const,
  ),
);
const imports = [...sources].flatMap(([path, text]) => importsOf(path, text));
const runtimePackages = z
  .object({ dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8'))).dependencies;

const isFile = ({ target }: Import): boolean => existsSync(target);
const within = (path: string, ...folders: string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`));
const offenders = (folder: string, allowed: (found: Import) => boolean): string[] =>
  imports
    .filter((found) => within(found.from, folder) && !allowed(found))
    .map(({ from, target }) => `${from} imports ${target}`);

describe('the arrows between folders', () => {
  it('lets schemas import schemas, zod and its OpenAPI companion', () => {
    expect(
      offenders('schemas', (found) =>
        isFile(found) ? within(found.target, 'schemas') : ['zod', 'zod-openapi'].includes(found.target),
      ),
    ).toEqual([]);
  });

  it('lets functions import functions, schemas and what is deployed', () => {
    expect(
      offenders('functions', (found) =>
        isFile(found)
          ? within(found.target, 'functions', 'schemas')
          : found.typeOnly || found.target.startsWith('node:') || found.target in runtimePackages,
      ),
    ).toEqual([]);
  });

  it.each([
    ['lib', ['lib', 'schemas']],
    ['local', ['local', 'lib', 'schemas', 'bin']],
  ])('keeps handler code out of %s', (folder, allowed) => {
    expect(
      offenders(
        folder,
        (found) =>
          // Exact decimals are arithmetic, not handler code.
          !isFile(found) ||
          within(found.target, ...allowed) ||
          found.target === 'functions/shared/decimal.ts',
      ),
    ).toEqual([]);
  });

  it('leaves the AWS SDK to the stores and the clients they share', () => {
    const isStore = (path: string): boolean => /(?:\/store|\.store|\.client)\.ts$/.test(path);

    expect(
      offenders('functions', ({ from, target }) => !target.startsWith('@aws-sdk/') || isStore(from)),
    ).toEqual([]);
  });

  it('has no circle of imports', () => {
    const next = Map.groupBy(
      imports.filter((found) => isFile(found) && !found.typeOnly),
      ({ from }) => from,
    );
    const done = new Set<string>();
    const circleFrom = (path: string, trail: readonly string[]): readonly string[] => {
      if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
      if (done.has(path)) return [];
      const circle = (next.get(path) ?? [])
        .map(({ target }) => circleFrom(target, [...trail, path]))
        .find((found) => found.length > 0);
      done.add(path);
      return circle ?? [];
    };

    expect([...sources.keys()].map((path) => circleFrom(path, [])).find((circle) => circle.length > 0)).toBe(
      undefined,
    );
  });
});

it(`keeps every file within ${FILE_LINES_MAXIMUM} lines`, () => {
  const long = [...sources].filter(([, text]) => text.split('\n').length - 1 > FILE_LINES_MAXIMUM);

  expect(long.map(([path]) => path)).toEqual([]);
});

it('keeps the clock, randomness and the environment out of rules', () => {
  /** Where they come in: the files whose purpose is to hold one of them. */
  const sourcesOfChance = [
    'functions/shared/clock.ts',
    'functions/shared/settings.ts',
    'functions/http/trace.ts',
  ];
  const isEdge = (path: string): boolean =>
    /(?:^|\/|\.)(?:store|unit|worker)\.ts$/.test(path) || sourcesOfChance.includes(path);
  const impure =
    /new Date\(\)|Date\.now\(|Math\.random\(|random(?:UUID|Bytes|Int)\(|getRandomValues\(|performance\.now\(|process\.env/;

  const rules = [...sources].filter(([path]) => within(path, 'functions', 'schemas') && !isEdge(path));

  expect(rules.filter(([, text]) => impure.test(text)).map(([path]) => path)).toEqual([]);
});
