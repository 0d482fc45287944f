import { defineConfig } from 'vitest/config';

/** The tests of rules, without those that start the service: a mutant must be judged within seconds. */
export default defineConfig({
  test: {
    include: ['test/{access,audit,credentials,http,idempotency,limits,oauth,shared}/**/*.test.ts'],
    // Crashes after every write take their time, and no rule is judged by them alone.
    exclude: ['test/credentials/crashRecovery.test.ts'],
    testTimeout: 30_000,
  },
});
