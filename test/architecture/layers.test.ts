import { describe, expect, it } from 'vitest';
import { imports, importsOf, sources } from './imports.ts';
import { domainCycles, layers, layerViolations } from './layers.ts';

const planted = (from: string, line: string) => importsOf(from, `${line}\n`);

describe('layers of functions/', () => {
  it('has no import against the order of layers', () => {
    expect(layerViolations(imports)).toEqual([]);
  });

  it('has no cycle of value imports between domains', () => {
    expect(domainCycles(imports)).toEqual([]);
  });

  it('lists every domain, and no folder that is gone', () => {
    const folders = [...sources.keys()].flatMap((path) => /^functions\/([^/]+)\//.exec(path)?.[1] ?? []);

    expect(layers.flat().toSorted()).toEqual([...new Set(folders)].toSorted());
  });

  it('reports a planted import of a higher layer with both files and the rule', () => {
    const found = planted(
      'functions/ledger/ledgerItem.ts',
      "import { attribute } from '../attribution/attribute.ts';",
    );

    expect(layerViolations(found)).toEqual([
      'functions/ledger/ledgerItem.ts imports functions/attribution/attribute.ts: ledger (layer 3) is below attribution (layer 6)',
    ]);
  });

  it('reports a planted type import of a higher layer', () => {
    const found = planted('functions/http/reply.ts', "import type { Limiter } from '../limits/limiter.ts';");

    expect(layerViolations(found)).toEqual([
      'functions/http/reply.ts imports functions/limits/limiter.ts: http (layer 2) is below limits (layer 3)',
    ]);
  });

  it('reports a planted import between domains of one layer', () => {
    const found = planted('functions/budgets/spend.ts', "import { csv } from '../exports/files/csv.ts';");

    expect(layerViolations(found)).toEqual([
      'functions/budgets/spend.ts imports functions/exports/files/csv.ts: budgets and exports share layer 6',
    ]);
  });

  it('lets operations import the types of the stores they receive', () => {
    const found = planted('functions/http/operation.ts', "import type { StoresOf } from '../stores.ts';");

    expect(layerViolations(found)).toEqual([]);
  });

  it('reports a planted cycle of value imports', () => {
    const cycle = [
      ...planted('functions/access/secret.ts', "import { redeem } from '../oauth/redemption.ts';"),
      ...planted(
        'functions/oauth/validateAuthorizationCode.ts',
        "import { hash } from '../access/secret.ts';",
      ),
    ];

    expect(domainCycles(cycle).map((domains) => domains.toSorted())).toEqual([['access', 'oauth']]);
  });

  it('ignores cycles of type imports, which disappear when compiled', () => {
    const cycle = [
      ...planted(
        'functions/access/secret.ts',
        "import { type Code, type Grant } from '../oauth/redemption.ts';",
      ),
      ...planted(
        'functions/oauth/validateAuthorizationCode.ts',
        "import { hash } from '../access/secret.ts';",
      ),
    ];

    expect(domainCycles(cycle)).toEqual([]);
  });
});
