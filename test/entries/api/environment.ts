import { bucketNames } from '../../../schemas/platform/buckets.ts';
import { keyNames } from '../../../schemas/platform/keys.ts';
import { queueNames } from '../../../schemas/platform/queues.ts';
import { variableOf } from '../../../schemas/platform/resourceVariables.ts';
import { tableNames } from '../../../schemas/platform/tables.ts';
import { SILENT_RECEIVER } from '../../support/webhooks.ts';

export const BASE_URL = 'http://127.0.0.1:3000';
export const IDENTITY_PROVIDER = 'http://127.0.0.1:9';

// Import this file first: functions read their environment when they are loaded.
const environment: Record<string, string> = {
  BASE_URL,
  ENVIRONMENT: 'local',
  PUBLIC_CONTRACT: 'true',
  RATE_LIMIT_SCALE: '1000',
  WEBHOOK_ALLOW_HOSTS: SILENT_RECEIVER,
  OIDC_ISSUER: IDENTITY_PROVIDER,
  OIDC_CLIENT_ID: 'the-service',
  STATE_MACHINE_EXPORTS: 'arn:aws:states:us-east-1:000000000000:stateMachine:exports',
  USER_POOL_ID: 'us-east-1_pool',
  TRUSTED_ROLE_BILL_IMPORTS: 'arn:aws:iam::000000000000:role/importer',
  TRUSTED_ROLE_EXPORT_DELIVERY: 'arn:aws:iam::000000000000:role/deliverer',
  // One attempt is enough, because faults are thrown and not waited for.
  AWS_MAX_ATTEMPTS: '1',
};
for (const name of tableNames) environment[variableOf('table', name)] = name;
for (const name of queueNames) environment[variableOf('queue', name)] = `https://sqs.example/${name}`;
for (const name of bucketNames) environment[variableOf('bucket', name)] = name;
for (const name of keyNames)
  environment[variableOf('key', name)] = `arn:aws:kms:us-east-1:000000000000:key/${name}`;
environment['KEY_SIGNING'] = `1970-01-01T00:00:00.000Z=${environment['KEY_SIGNING']}`;
Object.assign(process.env, environment);
