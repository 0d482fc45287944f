const ERASE_ROWS = ['dynamodb:BatchWriteItem', 'dynamodb:Scan'] as const;
const ERASE_OBJECTS = ['s3:DeleteObject', 's3:ListBucket'] as const;

/** What the routes of a sandbox and the worker that resets it need. The worker is not deployed in production. */
export const sandboxNeeds = {
  'sandbox.write': { table: 'tenants', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'sandbox.restartDetection': { table: 'anomalies', actions: ['dynamodb:PutItem'] },
  'sandbox.eraseLedger': { table: 'ledger', actions: ERASE_ROWS },
  'sandbox.eraseClaims': { table: 'claims', actions: ERASE_ROWS },
  'sandbox.eraseTraces': { table: 'traces', actions: ERASE_ROWS },
  'sandbox.eraseRollups': { table: 'rollups', actions: ERASE_ROWS },
  'sandbox.eraseModels': { table: 'models', actions: ERASE_ROWS },
  'sandbox.eraseJobs': { table: 'jobs', actions: ERASE_ROWS },
  'sandbox.eraseExports': { table: 'exports', actions: ERASE_ROWS },
  'sandbox.eraseCoverage': { table: 'coverage', actions: ERASE_ROWS },
  'sandbox.eraseSignals': { table: 'signals', actions: ERASE_ROWS },
  'sandbox.eraseCounters': { table: 'counters', actions: ERASE_ROWS },
  'sandbox.eraseBills': { table: 'bills', actions: ERASE_ROWS },
  'sandbox.eraseBudgets': { table: 'budgets', actions: ERASE_ROWS },
  'sandbox.eraseAnomalies': { table: 'anomalies', actions: ERASE_ROWS },
  'sandbox.eraseNotifications': { table: 'notifications', actions: ERASE_ROWS },
  'sandbox.eraseIdentity': { table: 'identity', actions: ERASE_ROWS },
  'sandbox.eraseArtefactsObjects': { bucket: 'artefacts', actions: ERASE_OBJECTS },
  'sandbox.eraseExportsObjects': { bucket: 'exports', actions: ERASE_OBJECTS },
  'sandbox.eraseArchiveObjects': { bucket: 'archive', actions: ERASE_OBJECTS },
} as const;
