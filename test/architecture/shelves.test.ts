import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { routes } from '../../schemas/routes/index.ts';
import { units } from '../../schemas/routes/route.ts';
import { expectNoFaults } from '../support/faults.ts';
import { imports, importsOf, sources } from './imports.ts';
import { circles, shelves, upwardImports } from './shelves.ts';

const planted = (from: string, line: string) => importsOf(from, `${line}\n`);

describe('shelves of functions/', () => {
  it('import downwards only', () => {
    expect(upwardImports(imports)).toEqual([]);
  });

  it('are listed with every folder, and with no folder that is gone', () => {
    const found = [...sources.keys()].flatMap((path) => {
      const [, shelf, folder] = /^functions\/([^/]+)\/(?:([^/]+)\/)?/.exec(path) ?? [];
      return shelf === undefined || folder === undefined ? [] : [`${shelf}/${folder}`];
    });
    const listed = shelves.flatMap(({ name, folders }) => folders.map((folder) => `${name}/${folder}`));

    expect(listed.toSorted()).toEqual([...new Set(found)].toSorted());
  });

  it('report a planted import of a higher shelf with both files and the rule', () => {
    const found = planted(
      'functions/ledger/records/ledgerItem.ts',
      "import { attribute } from '../../attribution/engine/attribute.ts';",
    );

    expect(upwardImports(found)).toEqual([
      'functions/ledger/records/ledgerItem.ts imports functions/attribution/engine/attribute.ts: the shelf ledger is below attribution',
    ]);
  });

  it('report a planted type import of a higher folder', () => {
    const found = planted(
      'functions/platform/http/reply.ts',
      "import type { Limiter } from '../limits/limiter.ts';",
    );

    expect(upwardImports(found)).toEqual([
      'functions/platform/http/reply.ts imports functions/platform/limits/limiter.ts: platform/http is below platform/limits',
    ]);
  });

  it('report a planted import of a file beside the folders', () => {
    const found = planted(
      'functions/impact/price/cost.ts',
      "import type { CallImpact } from '../impact.ts';",
    );

    expect(upwardImports(found)).toEqual([
      'functions/impact/price/cost.ts imports functions/impact/impact.ts: files beside the folders of impact stand above them',
    ]);
  });

  it('let operations import the types of the stores they receive', () => {
    const found = planted(
      'functions/platform/http/operation.ts',
      "import type { StoresOf } from '../../stores.ts';",
    );

    expect(upwardImports(found)).toEqual([]);
  });
});

it('the name of a unit is that of the shelf or folder that most of its operations are in', async () => {
  const fileOf = new Map([...sources.keys()].map((path) => [basename(path, '.ts'), path]));
  const operations = Map.groupBy(routes, ({ unit }) => unit);

  await expectNoFaults(units, String, (unit) => {
    const folders = (operations.get(unit) ?? []).flatMap(({ operation }) => {
      const path = fileOf.get(operation);
      return path === undefined ? [] : [dirname(path).split('/').slice(1)];
    });
    // Two units of one folder differ in a suffix.
    const isInside = (names: readonly string[]) =>
      names.some((name) => new RegExp(`^${name}([A-Z]|$)`).test(unit));
    const inside = folders.filter(isInside).length;
    const outside = Map.groupBy(
      folders.filter((names) => !isInside(names)),
      (names) => names.slice(0, 2).join('/'),
    );
    return [...outside]
      .filter(([, found]) => found.length > inside)
      .map(([folder, found]) => `${found.length} operations are in ${folder}, and ${inside} in ${unit}`);
  });
});

describe('files', () => {
  it('import each other without a circle, type imports included', () => {
    expect(circles(imports)).toEqual([]);
  });

  it('report a planted circle of type imports', () => {
    const circle = [
      ...planted('functions/identity/access/principals/secret.ts', "import type { Key } from './apiKey.ts';"),
      ...planted('functions/identity/access/principals/apiKey.ts', "import { hash } from './secret.ts';"),
    ];

    expect(circles(circle).map((files) => files.toSorted())).toEqual([
      ['functions/identity/access/principals/apiKey.ts', 'functions/identity/access/principals/secret.ts'],
    ]);
  });
});
