import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Import, imports, isFile, isWithin, sources } from './imports.ts';

const FILE_LINES_MAXIMUM = 250;

const runtimePackages = z
  .object({ dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8'))).dependencies;

const offenders = (folder: string, allowed: (found: Import) => boolean): string[] =>
  imports
    .filter((found) => isWithin(found.from, folder) && !allowed(found))
    .map(({ from, target }) => `${from} imports ${target}`);

describe('imports between top-level folders', () => {
  it('lets schemas import schemas, zod and its OpenAPI companion', () => {
    expect(
      offenders('schemas', (found) =>
        isFile(found) ? isWithin(found.target, 'schemas') : ['zod', 'zod-openapi'].includes(found.target),
      ),
    ).toEqual([]);
  });

  it('lets functions import functions, schemas and what is deployed', () => {
    expect(
      offenders('functions', (found) =>
        isFile(found)
          ? isWithin(found.target, 'functions', 'schemas')
          : found.typeOnly || found.target.startsWith('node:') || found.target in runtimePackages,
      ),
    ).toEqual([]);
  });

  it.each([
    ['lib', ['lib', 'schemas']],
    ['local', ['local', 'lib', 'schemas', 'tools', 'bin']],
  ])('keeps handler code out of %s', (folder, allowed) => {
    expect(
      offenders(
        folder,
        (found) =>
          // Exact decimals are arithmetic, not handler code.
          !isFile(found) ||
          isWithin(found.target, ...allowed) ||
          found.target === 'functions/platform/shared/decimal.ts',
      ),
    ).toEqual([]);
  });

  it('lets the console import the TypeScript client, what it shares with the command line, and nothing of the service', () => {
    expect(
      offenders(
        'console/src',
        (found) => !isFile(found) || isWithin(found.target, 'console/src', 'sdk/typescript', 'sdk/shared'),
      ),
    ).toEqual([]);
  });

  it('leaves the AWS SDK to stores, to callers of other AWS services and to the clients they share', () => {
    const mayImport = (path: string): boolean => /\.(?:store|aws|client)\.ts$/.test(path);

    expect(
      offenders('functions', ({ from, target }) => !target.startsWith('@aws-sdk/') || mayImport(from)),
    ).toEqual([]);
  });

  it('has no cycle of value imports between files', () => {
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

it('replaces the files of a data directory at once, so that a kill cannot halve them', () => {
  const atOnce = ['local/jsonFile.ts', 'local/engines/mailDirectory.ts'];
  const writers = [...sources].filter(
    ([path, text]) => isWithin(path, 'local', 'tools/start') && /\bwriteFile(?:Sync)?\(/.test(text),
  );

  expect(writers.map(([path]) => path).toSorted()).toEqual(atOnce.toSorted());
});

it('keeps the clock, randomness and the environment out of rules', () => {
  /** Where they come in: the files whose purpose is to hold one of them. */
  const sourcesOfChance = [
    'functions/platform/shared/time/clock.ts',
    'functions/platform/shared/settings.ts',
    // The namespace of the metrics.
    'functions/platform/shared/metrics.ts',
    // Operators use these too, without the settings of a function.
    'functions/platform/shared/aws/calls/requestTimeout.ts',
    'functions/platform/shared/aws/s3.client.ts',
    'functions/platform/http/trace.ts',
  ];
  const isEdge = (path: string): boolean =>
    /(?:^|\/|\.)(?:store|unit|worker)\.ts$/.test(path) || sourcesOfChance.includes(path);
  const impure =
    /new Date\(\)|Date\.now\(|Math\.random\(|random(?:UUID|Bytes|Int)\(|getRandomValues\(|performance\.now\(|process\.env/;

  const rules = [...sources].filter(([path]) => isWithin(path, 'functions', 'schemas') && !isEdge(path));

  expect(rules.filter(([, text]) => impure.test(text)).map(([path]) => path)).toEqual([]);
});
