import { defineConfig } from 'vitest/config';
import { slowTests } from './test/support/slowTests.ts';

/** The tests of rules, without those that start an engine: a mutant must be judged within seconds. */
export const include = [
  'test/identity/{access,credentials,oauth}/**/*.test.ts',
  'test/platform/{http,idempotency,limits,shared}/**/*.test.ts',
  'test/{impact,insight/budgets,insight/reports,chargeback/reconciliation}/**/*.test.ts',
  'test/chargeback/exports/{aggregation,focus}/**/*.test.ts',
  'test/chargeback/exports/conservation.test.ts',
  'test/chargeback/exports/files/csv.test.ts',
  'test/schemas/{fixedPoint,labels,secretPatterns}.test.ts',
  'test/ledger/cohorts/{cell,cohorts,jointRange,suppressSmallGroups}.test.ts',
];

/** It replaces a module, so it needs a process of its own. */
const replacing = 'test/identity/access/principals/secret.test.ts';

export const exclude = [replacing, 'test/platform/shared/settings.test.ts', ...slowTests()];

export default defineConfig({
  test: {
    setupFiles: ['test/support/properties.ts'],
    env: { BASE_URL: 'https://api.example.com', ENVIRONMENT: 'local', PUBLIC_CONTRACT: 'true' },
    testTimeout: 30_000,
    projects: [
      { extends: true, test: { name: 'replacing', include: [replacing] } },
      // One process judges a mutant. Otherwise each file would load the rules again.
      { extends: true, test: { name: 'rules', include, exclude, isolate: false } },
    ],
  },
});
