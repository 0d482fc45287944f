import type { TableName } from '../../../schemas/platform/tables.ts';

/**
 * The tables from which a reset deletes the rows of its tenant. Not in the list: credentials, sign-ins and settings, so
 * that a client continues to work; webhooks with their deliveries, because an endpoint would have to be verified again;
 * the audit log; rate limits, which a reset must not refill; stored responses, which name no tenant.
 */
export const erasedTables = [
  'ledger',
  'claims',
  'traces',
  'rollups',
  'models',
  'jobs',
  'exports',
  'coverage',
  'signals',
  'counters',
  'bills',
  'budgets',
  'anomalies',
  'notifications',
  'identity',
] as const satisfies readonly TableName[];
