import { defineConfig } from 'vitest/config';

/** The tests of rules, without those that start the service: a mutant must be judged within seconds. */
export default defineConfig({
  test: {
    include: ['test/{access,credentials,http,idempotency,shared,signIn}/**/*.test.ts'],
    testTimeout: 30_000,
  },
});
