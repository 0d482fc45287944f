/** Rights: the rules that decide who is let in, and what they may do. */
const rights = [
  'functions/identity/access/{authenticateMiddleware,authenticator,authorizeMiddleware}.ts',
  'functions/identity/access/grants/delegation.ts',
  'functions/identity/access/principals/{apiKey,secret}.ts',
  'functions/identity/access/tokens/{accessToken,introspectToken,keySchedule}.ts',
  'functions/identity/credentials/{authority,clientRegistration,rights}.ts',
  'functions/platform/http/pages/cursor.ts',
  'functions/platform/limits/sourceLimiter.ts',
  'functions/platform/idempotency/{idempotencyKey,idempotentIngest,idempotentResponse,leasePersistence,requestIdentity,sealResponse}.ts',
  'functions/identity/oauth/{pkce,requestedScopes,validateAuthorizationCode}.ts',
  'functions/identity/oauth/signIn/{authorizationRequest,createGrant}.ts',
  'functions/identity/oauth/token/clientAuthentication.ts',
  'functions/platform/shared/{hash,ids}.ts',
  'schemas/identity/oauthClient.ts',
];

/** Privacy: the rules that keep the figures of fewer than five persons out of every aggregate. */
const privacy = [
  'functions/ledger/cohorts/{cell,cohortIndex,cohorts,cohortTotals,jointRange,persons,selectVisible,suppressSmallGroups}.ts',
  'functions/chargeback/exports/focus/{recordLines,shownDimensions}.ts',
  'functions/chargeback/reconciliation/comparison/{blocks,recorded}.ts',
  'functions/insight/reports/{cohortFilter,range,reportTotals}.ts',
  'schemas/labels/{confidentialText,secretPatterns}.ts',
];

/** Money: the rules that compute, split, add and compare amounts. */
const money = [
  'functions/insight/budgets/{alerts/crossing,budgetPeriod,spend/forecast}.ts',
  'functions/chargeback/exports/aggregation/{recordTotals,rowTotals}.ts',
  'functions/chargeback/exports/files/csv.ts',
  'functions/impact/price/{contractPrices,cost,priceBands,priceCall,producerCost}.ts',
  'functions/impact/price/lists/{cataloguePrices,priceList,sourceStatements}.ts',
  'functions/impact/price/rules/{modelRules,priceRules,regionalPrices,serviceTier}.ts',
  'functions/chargeback/reconciliation/comparison/{balance,billCoverage,reconcile,recordedTokens}.ts',
  'functions/chargeback/reconciliation/prices/{suggestPrices,unitPrice}.ts',
  'functions/chargeback/reconciliation/rows/{bill,billedTokens}.ts',
  'functions/platform/shared/{decimal,formulaGuard,largestRemainder}.ts',
  'schemas/fixedPoint.ts',
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
