import { existsSync, globSync, readFileSync } from 'node:fs';
import { importsOf } from '../architecture/imports.ts';

/** They start the table engine, or the whole service. */
const STARTERS: ReadonlySet<string> = new Set(['test/support/tables.ts', 'test/support/instance.ts']);

/** The test files that start an engine, themselves or by what they import from the tests. */
const engineTests = (): string[] => {
  const found = new Map<string, boolean>();
  const starts = (path: string): boolean => {
    if (STARTERS.has(path)) return true;
    const known = found.get(path);
    if (known !== undefined) return known;
    if (!path.startsWith('test/') || !existsSync(path)) return false;
    // Ends the search in a circle.
    found.set(path, false);
    const isStarter = importsOf(path, readFileSync(path, 'utf8')).some(
      ({ target, typeOnly }) => !typeOnly && starts(target),
    );
    found.set(path, isStarter);
    return isStarter;
  };
  return globSync('test/**/*.test.ts').filter(starts);
};

/** What neither the quick run nor the mutation test runs: files that start an engine, or take more than ten seconds. */
export const slowTests = (): string[] => [
  ...engineTests(),
  'test/chargeback/exports/steps/partitions.test.ts',
  'test/insight/anomalies/quality.test.ts',
  'test/insight/reports/suppression.test.ts',
];
