import { bucketNames } from '../buckets.ts';
import type { TableName } from '../tables.ts';

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

/** The buckets from which a reset deletes the objects of its tenant. Those of `exportWork` name no tenant, and expire. */
export const erasedBuckets = bucketNames.filter((name) => name !== 'exportWork');

/** What the routes of a sandbox, those of jobs, and the worker that resets it need. The worker is not deployed in production. */
export const sandboxNeeds = {
  'sandbox.read': { table: 'tenants', actions: ['dynamodb:GetItem'] },
  'sandbox.write': { table: 'tenants', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'sandbox.restartDetection': { table: 'jobs', actions: ['dynamodb:DeleteItem', 'dynamodb:PutItem'] },
  'sandbox.eraseRows': { table: erasedTables, actions: ['dynamodb:BatchWriteItem', 'dynamodb:Scan'] },
  'sandbox.eraseObjects': { bucket: erasedBuckets, actions: ['s3:DeleteObject', 's3:ListBucket'] },
} as const;
