import type { BucketName } from './buckets.ts';
import type { KeyName } from './keys.ts';
import { eventNeeds } from './needs/eventNeeds.ts';
import { exportNeeds } from './needs/exportNeeds.ts';
import { sandboxNeeds } from './needs/sandboxNeeds.ts';
import { totalsNeeds } from './needs/totalsNeeds.ts';
import type { QueueAccess } from './queues.ts';
import type { TableName } from './tables.ts';
import type { TrustedWorker } from './trustedRoles.ts';

/** A state machine; its definition is in `lib/`. */
export const stateMachines = {
  exports: { holds: 'The steps of a FOCUS export' },
} as const;
export type StateMachineName = keyof typeof stateMachines;

interface TableAccess {
  readonly table: TableName | readonly TableName[];
  readonly actions: readonly string[];
}
interface BucketAccess {
  readonly bucket: BucketName | readonly BucketName[];
  readonly actions: readonly string[];
}
interface StateMachineAccess {
  readonly stateMachine: StateMachineName;
  readonly actions: readonly string[];
}
interface KeyAccess {
  readonly key: KeyName;
  readonly actions: readonly string[];
}
/** The user pool of the stack, by its id. With an external identity provider there is none, and the need grants nothing. */
interface UserPoolAccess {
  readonly userPool: 'id';
  readonly actions: readonly string[];
}
/** The roles of customers that a worker assumes, by the pattern of their names. */
interface CustomerRoleAccess {
  readonly customerRole: TrustedWorker;
  readonly actions: readonly string[];
}
/** The role of a worker that customers trust. A function learns its name only. */
interface TrustedRoleAccess {
  readonly trustedRole: TrustedWorker;
  readonly actions: readonly [];
}

/**
 * The permissions a route or worker can declare. Each need becomes an IAM statement, an environment variable and the store
 * a handler receives. What a worker needs of its sources follows from them (`lib/compute/eventSources.ts`). Nothing else
 * grants access.
 */
export const needs = {
  'ledger.read': { table: 'ledger', actions: ['dynamodb:Query'] },
  'ledger.probe': { table: 'ledger', actions: ['dynamodb:DescribeTable'] },
  'ledger.sort': { table: 'ledger', actions: ['dynamodb:BatchGetItem', 'dynamodb:GetItem'] },
  'ledger.readVersions': { table: 'ledger', actions: ['dynamodb:BatchGetItem'] },
  'ledger.write': {
    table: 'ledger',
    actions: ['dynamodb:GetItem', 'dynamodb:PartiQLInsert', 'dynamodb:PutItem'],
  },
  'ledger.compact': {
    table: 'ledger',
    actions: [
      'dynamodb:DeleteItem',
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'dynamodb:UpdateItem',
    ],
  },
  'ledger.unlist': { table: 'ledger', actions: ['dynamodb:DeleteItem'] },
  'ledger.readShardBits': { table: 'ledger', actions: ['dynamodb:GetItem'] },
  'ledger.shardBits': { table: 'ledger', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'disputes.read': { table: 'ledger', actions: ['dynamodb:Query'] },
  'ledger.correct': {
    table: 'ledger',
    actions: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  },
  'traces.read': { table: 'traces', actions: ['dynamodb:Query'] },
  'coverage.recordHeartbeat': { table: 'coverage', actions: ['dynamodb:UpdateItem'] },
  'coverage.recordDiscovery': { table: 'coverage', actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'] },
  'coverage.writeExpectations': { table: 'coverage', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'coverage.evaluate': {
    table: 'coverage',
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
  },
  'coverage.meterConnector': { table: 'coverage', actions: ['dynamodb:UpdateItem'] },
  'coverage.readConnector': { table: 'coverage', actions: ['dynamodb:GetItem', 'dynamodb:Query'] },
  'signals.write': { table: 'signals', actions: ['dynamodb:PutItem'] },
  'counters.add': { table: 'counters', actions: ['dynamodb:PutItem'] },
  'counters.read': { table: 'counters', actions: ['dynamodb:Query'] },
  'progress.report': { table: 'counters', actions: ['dynamodb:PutItem'] },
  'progress.read': { table: 'counters', actions: ['dynamodb:Query'] },
  'bills.read': { table: 'bills', actions: ['dynamodb:GetItem', 'dynamodb:Query'] },
  'bills.write': { table: 'bills', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'billSources.read': { table: 'billSources', actions: ['dynamodb:GetItem', 'dynamodb:Query'] },
  'billSources.write': {
    table: 'billSources',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
  },
  'billSources.import': {
    table: 'billSources',
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
  },
  'traces.write': {
    table: 'traces',
    actions: [
      'dynamodb:BatchGetItem',
      'dynamodb:BatchWriteItem',
      'dynamodb:DeleteItem',
      'dynamodb:GetItem',
      'dynamodb:PartiQLInsert',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'dynamodb:UpdateItem',
    ],
  },
  'models.read': { table: 'models', actions: ['dynamodb:GetItem'] },
  'models.list': { table: 'models', actions: ['dynamodb:GetItem', 'dynamodb:Query'] },
  'models.write': {
    table: 'models',
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
  },
  'models.save': { table: 'models', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'artefacts.read': { bucket: 'artefacts', actions: ['s3:GetObject'] },
  'prices.read': { bucket: 'artefacts', actions: ['s3:GetObject'] },
  'artefacts.write': { bucket: 'artefacts', actions: ['s3:PutObject'] },
  'jobs.create': { table: 'jobs', actions: ['dynamodb:PutItem'] },
  'jobs.write': { table: 'jobs', actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'] },
  'jobs.read': { table: 'jobs', actions: ['dynamodb:GetItem'] },
  'jobs.list': { table: 'jobs', actions: ['dynamodb:Query'] },
  'jobs.send': { queue: 'jobs', actions: ['sqs:SendMessage'] },
  ...exportNeeds,
  // Without the permission to list, a file that was replaced looks like a forbidden one.
  'archive.read': { bucket: 'archive', actions: ['s3:GetObject', 's3:ListBucket'] },
  'archive.readWrite': {
    bucket: 'archive',
    actions: ['s3:DeleteObject', 's3:GetObject', 's3:ListBucket', 's3:PutObject'],
  },
  'results.page': { table: 'results', actions: ['dynamodb:BatchGetItem', 'dynamodb:BatchWriteItem'] },
  'budgets.list': { table: 'budgets', actions: ['dynamodb:Query'] },
  'budgets.read': { table: 'budgets', actions: ['dynamodb:GetItem', 'dynamodb:Query'] },
  'budgets.write': {
    table: 'budgets',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
  },
  'businessMetrics.read': { table: 'budgets', actions: ['dynamodb:Query'] },
  'businessMetrics.write': {
    table: 'budgets',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
  },
  'budgets.evaluate': { table: 'budgets', actions: ['dynamodb:PutItem', 'dynamodb:Query'] },
  'anomalies.read': { table: 'anomalies', actions: ['dynamodb:GetItem', 'dynamodb:Query'] },
  'anomalies.mute': { table: 'anomalies', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'savedViews.read': { table: 'anomalies', actions: ['dynamodb:Query'] },
  'savedViews.write': {
    table: 'anomalies',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
  },
  'annotations.read': { table: 'anomalies', actions: ['dynamodb:Query'] },
  'annotations.write': {
    table: 'anomalies',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
  },
  'savingDismissals.read': { table: 'anomalies', actions: ['dynamodb:Query'] },
  'savingDismissals.write': {
    table: 'anomalies',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
  },
  'anomalies.detect': {
    table: 'anomalies',
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
  },
  ...totalsNeeds,
  'claims.read': { table: 'claims', actions: ['dynamodb:GetItem'] },
  'claims.hold': {
    table: 'claims',
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  },
  'claims.write': {
    table: 'claims',
    actions: ['dynamodb:GetItem', 'dynamodb:PartiQLInsert', 'dynamodb:UpdateItem'],
  },
  ...eventNeeds,
  ...sandboxNeeds,
  'tenants.read': { table: 'tenants', actions: ['dynamodb:GetItem'] },
  'tenants.write': { table: 'tenants', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'tenants.list': { table: 'tenants', actions: ['dynamodb:Scan'] },
  'tenants.probe': { table: 'tenants', actions: ['dynamodb:GetItem'] },
  'access.probe': { table: 'access', actions: ['dynamodb:GetItem'] },
  'access.read': { table: 'access', actions: ['dynamodb:GetItem'] },
  'access.list': { table: 'access', actions: ['dynamodb:GetItem', 'dynamodb:Query'] },
  'access.write': { table: 'access', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'grants.probe': { table: 'grants', actions: ['dynamodb:GetItem'] },
  'grants.read': { table: 'grants', actions: ['dynamodb:GetItem'] },
  'grants.start': { table: 'grants', actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'] },
  'grants.write': { table: 'grants', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'grants.session': {
    table: 'grants',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
  },
  'audit.append': { table: 'audit', actions: ['dynamodb:PutItem'] },
  'audit.read': { table: 'audit', actions: ['dynamodb:Query'] },
  'limits.read': { table: 'limits', actions: ['dynamodb:GetItem'] },
  'limits.usage': { table: 'limits', actions: ['dynamodb:BatchGetItem'] },
  'limits.charge': { table: 'limits', actions: ['dynamodb:UpdateItem', 'dynamodb:GetItem'] },
  'idempotency.claim': { table: 'idempotency', actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'] },
  'idempotency.store': { table: 'idempotency', actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'] },
  'identity.read': { table: 'identity', actions: ['dynamodb:GetItem'] },
  'identity.list': { table: 'identity', actions: ['dynamodb:GetItem', 'dynamodb:Query'] },
  'identity.write': {
    table: 'identity',
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
  },
  'accepted.send': { queue: 'accepted', actions: ['sqs:SendMessage'] },
  'accepted.probe': { queue: 'accepted', actions: ['sqs:GetQueueAttributes'] },
  'signing.sign': { key: 'signing', actions: ['kms:Sign', 'kms:GetPublicKey'] },
  'signing.verify': { key: 'signing', actions: ['kms:GetPublicKey'] },
  'cursor.derive': { key: 'cursor', actions: ['kms:GenerateMac'] },
  'sealing.derive': { key: 'sealing', actions: ['kms:GenerateMac'] },
  'userPool.invite': {
    userPool: 'id',
    actions: ['cognito-idp:AdminCreateUser', 'cognito-idp:AdminGetUser'],
  },
  'billCredential.encrypt': { key: 'billCredential', actions: ['kms:Encrypt'] },
  'billCredential.decrypt': { key: 'billCredential', actions: ['kms:Decrypt'] },
  'billRole.assume': { customerRole: 'billImports', actions: ['sts:AssumeRole'] },
  'billRole.name': { trustedRole: 'billImports', actions: [] },
  'endpoint.derive': { key: 'endpoint', actions: ['kms:GenerateMac'] },
} as const satisfies Record<
  string,
  | TableAccess
  | QueueAccess
  | BucketAccess
  | StateMachineAccess
  | KeyAccess
  | UserPoolAccess
  | CustomerRoleAccess
  | TrustedRoleAccess
>;
export type Need = keyof typeof needs;
export const needNames = Object.keys(needs) as Need[];
