/** A DynamoDB table: keys are strings; `ttl` is epoch seconds, and readers check it themselves since expiry lags. */
export interface TableShape {
  readonly partitionKey: string;
  readonly sortKey?: string;
  readonly ttl?: string;
  /** What it holds, in one line. */
  readonly holds: string;
}

export const tables = {
  ledger: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Attribution records by tenant, month and shard',
  },
  claims: { partitionKey: 'pk', ttl: 'ttl', holds: 'Which content and time won for an event id' },
  traces: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Spans by tenant and trace, for as long as they may learn from each other',
  },
  models: {
    partitionKey: 'pk',
    sortKey: 'sk',
    holds: 'Trained models by tenant: what became of each, and which one serves',
  },
  jobs: { partitionKey: 'pk', sortKey: 'sk', ttl: 'ttl', holds: 'Background jobs by tenant' },
  rollups: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Sums of the ledger by tenant, minute, hour and day',
  },
  tenants: { partitionKey: 'pk', holds: 'Tenants, and the AWS principals that send for them' },
  access: {
    partitionKey: 'pk',
    sortKey: 'sk',
    holds: 'API keys, OAuth clients and users by tenant, secrets hashed',
  },
  grants: {
    partitionKey: 'pk',
    ttl: 'ttl',
    holds: 'Sign-ins under way, authorization codes, refresh tokens (hashed) and revoked access tokens',
  },
  audit: {
    partitionKey: 'pk',
    sortKey: 'sk',
    holds: 'Audit log by tenant and month; entries are only ever added',
  },
  outbox: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Events raised, by tenant, durable before their cause is acknowledged',
  },
  limits: {
    partitionKey: 'pk',
    ttl: 'ttl',
    holds: 'One token bucket for each tenant, principal and rate class',
  },
  idempotency: { partitionKey: 'pk', ttl: 'ttl', holds: 'Idempotency keys of the last 24 hours' },
  identity: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Identity mappings by tenant, and for two days those that were deleted',
  },
} as const satisfies Record<string, TableShape>;
export type TableName = keyof typeof tables;
export const tableNames = Object.keys(tables) as TableName[];

/** A queue and the number of receives after which a message goes to its dead-letter queue. */
export interface QueueShape {
  readonly maxReceiveCount: number;
  readonly holds: string;
}

export const queues = {
  ingestion: {
    maxReceiveCount: 5,
    holds: 'Events put here by producers with their own AWS principal: untrusted',
  },
  accepted: { maxReceiveCount: 5, holds: 'Events that passed the edge, packed, with their verified tenant' },
  jobs: { maxReceiveCount: 5, holds: 'Background jobs to begin or to go on with' },
  rollups: { maxReceiveCount: 5, holds: 'Minutes of a tenant that must be summed anew' },
} as const satisfies Record<string, QueueShape>;
export type QueueName = keyof typeof queues;
export const queueNames = Object.keys(queues) as QueueName[];

/** A bucket: private, encrypted, over TLS only. */
export interface BucketShape {
  /** Days after which an object is deleted. */
  readonly expiresAfterDays: number;
  readonly holds: string;
}

export const buckets = {
  artefacts: {
    // Longer than any record keeps the version that made it from being recalled and replayed.
    expiresAfterDays: 800,
    holds: 'Artefacts of trained models by tenant and version',
  },
} as const satisfies Record<string, BucketShape>;
export type BucketName = keyof typeof buckets;
export const bucketNames = Object.keys(buckets) as BucketName[];

export const keys = {
  signing: { spec: 'ECC_NIST_P256', usage: 'SIGN_VERIFY', holds: 'Signs access tokens (ES256)' },
  cursor: {
    spec: 'HMAC_256',
    usage: 'GENERATE_VERIFY_MAC',
    holds: 'Derives the key that authenticates cursors',
  },
  sealing: {
    spec: 'HMAC_256',
    usage: 'GENERATE_VERIFY_MAC',
    holds: 'Derives the secret that goes into the seal of stored idempotent responses',
  },
} as const;
export type KeyName = keyof typeof keys;
export const keyNames = Object.keys(keys) as KeyName[];

interface TableAccess {
  readonly table: TableName;
  readonly actions: readonly string[];
}
interface QueueAccess {
  readonly queue: QueueName | `${QueueName}DeadLetter`;
  readonly actions: readonly string[];
}
interface BucketAccess {
  readonly bucket: BucketName;
  readonly actions: readonly string[];
}
interface KeyAccess {
  readonly key: KeyName;
  readonly actions: readonly string[];
}

/**
 * What a route or worker may touch, and how. A need becomes an IAM statement, an environment variable
 * and the store a handler receives; nothing else grants anything.
 */
export const needs = {
  'ledger.read': { table: 'ledger', actions: ['dynamodb:Query'] },
  'ledger.write': { table: 'ledger', actions: ['dynamodb:PutItem'] },
  'ledger.correct': {
    table: 'ledger',
    actions: ['dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  },
  'traces.write': { table: 'traces', actions: ['dynamodb:PutItem', 'dynamodb:Query'] },
  'models.read': { table: 'models', actions: ['dynamodb:GetItem'] },
  'models.list': { table: 'models', actions: ['dynamodb:GetItem', 'dynamodb:Query'] },
  'models.write': {
    table: 'models',
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
  },
  'models.degrade': { table: 'models', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'artefacts.read': { bucket: 'artefacts', actions: ['s3:GetObject'] },
  'artefacts.write': { bucket: 'artefacts', actions: ['s3:PutObject'] },
  'jobs.write': { table: 'jobs', actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'] },
  'jobs.send': { queue: 'jobs', actions: ['sqs:SendMessage'] },
  'rollups.read': { table: 'rollups', actions: ['dynamodb:Query'] },
  'rollups.write': {
    table: 'rollups',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
  },
  'rollups.mark': { queue: 'rollups', actions: ['sqs:SendMessage'] },
  'claims.write': { table: 'claims', actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'] },
  'tenants.read': { table: 'tenants', actions: ['dynamodb:GetItem'] },
  'tenants.write': { table: 'tenants', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'tenants.list': { table: 'tenants', actions: ['dynamodb:Scan'] },
  'tenants.probe': { table: 'tenants', actions: ['dynamodb:GetItem'] },
  'access.read': { table: 'access', actions: ['dynamodb:GetItem'] },
  'access.list': { table: 'access', actions: ['dynamodb:GetItem', 'dynamodb:Query'] },
  'access.write': { table: 'access', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'grants.read': { table: 'grants', actions: ['dynamodb:GetItem'] },
  'grants.begin': { table: 'grants', actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'] },
  'grants.write': { table: 'grants', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'audit.append': { table: 'audit', actions: ['dynamodb:PutItem'] },
  'audit.read': { table: 'audit', actions: ['dynamodb:Query'] },
  'outbox.append': { table: 'outbox', actions: ['dynamodb:PutItem'] },
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
  'rejected.send': { queue: 'acceptedDeadLetter', actions: ['sqs:SendMessage'] },
  'signing.sign': { key: 'signing', actions: ['kms:Sign', 'kms:GetPublicKey'] },
  'signing.verify': { key: 'signing', actions: ['kms:GetPublicKey'] },
  'cursor.derive': { key: 'cursor', actions: ['kms:GenerateMac'] },
  'sealing.derive': { key: 'sealing', actions: ['kms:GenerateMac'] },
} as const satisfies Record<string, TableAccess | QueueAccess | BucketAccess | KeyAccess>;
export type Need = keyof typeof needs;

/** The environment variable that tells a function where a resource is: `variableOf('table', 'ledger')` → `TABLE_LEDGER`. */
export const variableOf = (
  kind: 'table' | 'queue' | 'bucket' | 'key',
  name: TableName | QueueAccess['queue'] | BucketName | KeyName,
): string => `${kind}_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();
