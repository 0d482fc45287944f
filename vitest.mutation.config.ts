import { defineConfig } from 'vitest/config';

/** The tests of rules, without those that start an engine: a mutant must be judged within seconds. */
export default defineConfig({
  test: {
    include: [
      'test/{access,credentials,http,idempotency,limits,oauth,shared}/**/*.test.ts',
      'test/{budgets,impact,reconciliation,reports}/**/*.test.ts',
      'test/exports/{aggregation,focus}/**/*.test.ts',
      'test/exports/conservation.test.ts',
    ],
    exclude: [
      // They start the table engine. Rules have tests of their own.
      'test/budgets/{budgetEvaluator,operations}.test.ts',
      'test/credentials/{crashRecovery,takeover}.test.ts',
      'test/idempotency/{idempotencyClaim,response}.test.ts',
      'test/limits/{bucketStore,lastUse}.test.ts',
      'test/oauth/grants.test.ts',
      'test/reconciliation/{bills,suppression}.test.ts',
      'test/reports/operations.test.ts',
      'test/shared/{documents,optimisticUpdate}.test.ts',
      // They take more than ten seconds.
      'test/exports/aggregation/sortedRuns.test.ts',
      'test/reports/suppression.test.ts',
    ],
    setupFiles: ['test/support/properties.ts'],
    env: { BASE_URL: 'https://api.example.com', ENVIRONMENT: 'local', PUBLIC_CONTRACT: 'true' },
    testTimeout: 30_000,
  },
});
