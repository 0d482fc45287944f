import { defineConfig } from 'vitest/config';

/** The tests of rules, without those that start an engine: a mutant must be judged within seconds. */
export const include = [
  'test/{access,credentials,http,idempotency,limits,oauth,shared}/**/*.test.ts',
  'test/{budgets,impact,reconciliation,reports}/**/*.test.ts',
  'test/exports/{aggregation,focus}/**/*.test.ts',
  'test/exports/conservation.test.ts',
  'test/exports/files/csv.test.ts',
  'test/schemas/{labels,secretPatterns}.test.ts',
  'test/cohorts/{jointRange,suppressSmallGroups}.test.ts',
];

/** It replaces a module, so it needs a process of its own. */
const replacing = 'test/access/secret.test.ts';

export const exclude = [
  replacing,
  // They start the table engine. Rules have tests of their own.
  'test/budgets/{budgetEvaluator,disclosure,operations,periods}.test.ts',
  'test/credentials/{crashRecovery,takeover}.test.ts',
  'test/idempotency/{idempotencyClaim,response,takeOver}.test.ts',
  'test/limits/{bucketStore,lastUse}.test.ts',
  'test/oauth/grants.test.ts',
  'test/reconciliation/{bills,listBills,suppression}.test.ts',
  'test/reconciliation/sources/{billSources,importSource,interruptedImport,sourceHealth}.test.ts',
  'test/reconciliation/sources/aws/importExports.test.ts',
  'test/reports/operations.test.ts',
  'test/shared/{documents,settings,throttling}.test.ts',
  'test/shared/aws/{batchInsert,batchPut,optionalCall}.test.ts',
  'test/shared/retry/optimisticUpdate.test.ts',
  // They take more than ten seconds.
  'test/exports/aggregation/sortedRuns.test.ts',
  'test/reports/suppression.test.ts',
];

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
