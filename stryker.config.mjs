/** The rules that decide who is let in: each change of one of them must make a test fail. */
export default {
  mutate: [
    'functions/access/{accessToken,apiKey,authenticateMiddleware,authenticator,authorizeMiddleware,introspectToken,keySchedule,secret}.ts',
    'functions/credentials/{authority,clientRegistration,rights}.ts',
    'functions/http/cursor.ts',
    'functions/idempotency/{idempotencyKey,idempotentIngest,idempotentResponse,requestIdentity,seal}.ts',
    'functions/oauth/{pkce,validateAuthorizationCode}.ts',
    'functions/oauth/signIn/{authorizationRequest,createGrant}.ts',
    'functions/oauth/token/clientAuthentication.ts',
    'functions/shared/{ids,optimisticUpdate}.ts',
    'schemas/access/oauthClient.ts',
  ],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.ts' },
  coverageAnalysis: 'perTest',
  // It would be rewritten by means of an interface that this version of the compiler no longer has; nothing here compiles.
  tsconfigFile: 'none',
  packageManager: 'npm',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 85 },
  concurrency: 2,
  timeoutMS: 20_000,
  tempDirName: '.stryker',
  cleanTempDir: 'always',
  ignorePatterns: ['dist', 'cdk.out', '.local', 'bench-results.json'],
};
