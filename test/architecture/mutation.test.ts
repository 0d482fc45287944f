import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';

/** `a/{b,c}.ts` → `a/b.ts` and `a/c.ts`. A path without alternatives stays as it is. */
const alternativesOf = (path: string): string[] => {
  const [, start = '', names, end = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return names === undefined ? [path] : names.split(',').map((name) => `${start}${name}${end}`);
};

const Stryker = z.object({ default: z.object({ mutate: z.array(z.string()) }) });
const Vitest = z.object({ include: z.array(z.string()), exclude: z.array(z.string()) });

const testsOf = async () => Vitest.parse(await import(resolve('vitest.mutation.config.ts')));

const pathsOf = async (): Promise<string[]> => {
  const { mutate } = Stryker.parse(await import(resolve('stryker.config.mjs'))).default;
  const { include, exclude } = await testsOf();
  return [...mutate, ...include, ...exclude].flatMap(alternativesOf);
};

it('the mutation test names only paths that exist', async () => {
  const paths = await pathsOf();

  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => globSync(path).length === 0)).toEqual([]);
});

// Engines do not start in the threads of the mutation test, and one that fails there ends it.
it('the mutation test includes no test that starts an engine', async () => {
  const { include, exclude } = await testsOf();
  const included = globSync(include, { exclude });

  expect(included.length).toBeGreaterThan(50);
  const starting = included.filter((path) =>
    /\b(?:startTables|startInstance|sharedInstance|start\w+Harness)\(/.test(readFileSync(path, 'utf8')),
  );
  expect(starting).toEqual([]);
});
