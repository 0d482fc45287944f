import { globSync } from 'node:fs';
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

const pathsOf = async (): Promise<string[]> => {
  const { mutate } = Stryker.parse(await import(resolve('stryker.config.mjs'))).default;
  const { include, exclude } = Vitest.parse(await import(resolve('vitest.mutation.config.ts')));
  return [...mutate, ...include, ...exclude].flatMap(alternativesOf);
};

it('the mutation test names only paths that exist', async () => {
  const paths = await pathsOf();

  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => globSync(path).length === 0)).toEqual([]);
});
