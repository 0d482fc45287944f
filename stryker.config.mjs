/** Rights: the rules that decide who is let in, and what they may do. */
const rights = [
  'functions/access/{accessToken,apiKey,authenticateMiddleware,authenticator,authorizeMiddleware}.ts',
  'functions/access/{delegation,introspectToken,keySchedule,secret}.ts',
  'functions/credentials/{authority,clientRegistration,rights}.ts',
  'functions/http/cursor.ts',
  'functions/limits/failureLimiter.ts',
  'functions/idempotency/{idempotencyKey,idempotentIngest,idempotentResponse,leasePersistence,requestIdentity,sealResponse}.ts',
  'functions/oauth/{pkce,requestedScopes,validateAuthorizationCode}.ts',
  'functions/oauth/signIn/{authorizationRequest,createGrant}.ts',
  'functions/oauth/token/clientAuthentication.ts',
  'functions/shared/{hash,ids}.ts',
  'schemas/access/oauthClient.ts',
];

/** Privacy: the rules that keep the figures of fewer than five persons out of every aggregate. */
const privacy = [
  'functions/cohorts/{cell,cohorts,cohortTotals,jointRange,selectVisible,suppressSmallGroups}.ts',
  'functions/exports/aggregation/{suppressLine,suppression}.ts',
  'functions/reconciliation/{blocks,recorded}.ts',
  'functions/reports/{cohortFilter,range,reportTotals}.ts',
  'schemas/labels/{confidentialText,secretPatterns}.ts',
];

/** Money: the rules that compute, split, add and compare amounts. */
const money = [
  'functions/budgets/{budgetPeriod,crossing,forecast}.ts',
  'functions/exports/aggregation/{fixedPoint,recordTotals,rowTotals}.ts',
  'functions/exports/files/csv.ts',
  'functions/impact/price/{contextBands,contractPrices,cost,priceCall,priceList,producerCost,regionalPrices,serviceTier}.ts',
  'functions/reconciliation/{balance,bill,billCoverage,billedTokens,reconcile,recordedTokens,suggestPrices,unitPrice}.ts',
  'functions/shared/{decimal,largestRemainder}.ts',
];

/** Each change of one of these rules must make a test fail. */
export default {
  mutate: [...rights, ...privacy, ...money],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.ts' },
  coverageAnalysis: 'perTest',
  // A mutant outside all functions needs every test. These are one in fifteen and would double the time of a run.
  ignoreStatic: true,
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
