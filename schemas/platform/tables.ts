/** A DynamoDB table: keys are strings; `ttl` is epoch seconds, and readers check it themselves since expiry lags. */
export interface TableShape {
  readonly partitionKey: string;
  readonly sortKey?: string;
  /**
   * Local indexes by name, with the attribute each sorts the items of a partition by: as consistent as the table, whole
   * items, a write unit more for each. They bind a partition to 10 GB, indexes included.
   */
  readonly localIndexes?: Readonly<Record<string, string>>;
  readonly ttl?: string;
  /** Whether workers may follow its changes; each change is kept for them for a day. */
  readonly streamed?: true;
  /** What it holds, in one line. */
  readonly holds: string;
}

export const tables = {
  ledger: {
    partitionKey: 'pk',
    sortKey: 'sk',
    localIndexes: { byCost: 'bc', byConfidence: 'bf' },
    ttl: 'ttl',
    holds: 'Attribution records by tenant, month and shard',
  },
  claims: { partitionKey: 'pk', ttl: 'ttl', holds: 'Which content and time won for an event id' },
  coverage: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds:
      'By tenant: which layers captured calls when, what was discovered, what is expected, and how pathways stand',
  },
  signals: { partitionKey: 'pk', ttl: 'ttl', holds: 'CloudEvents of the last 30 days, without content' },
  counters: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Counts for diagnosis by tenant and hour',
  },
  bills: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'What providers billed, by tenant, day, provider and model',
  },
  traces: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Spans by tenant and trace, for as long as their records are kept',
  },
  models: {
    partitionKey: 'pk',
    sortKey: 'sk',
    holds: 'Trained models by tenant: what became of each, and which one serves',
  },
  jobs: { partitionKey: 'pk', sortKey: 'sk', ttl: 'ttl', holds: 'Background jobs by tenant' },
  exports: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'FOCUS exports by tenant, their schedules, and which exports have not come to an end',
  },
  rollups: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Sums of the ledger by tenant, minute, hour and day',
  },
  budgets: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Budgets by tenant, and which of their thresholds were told of in which period',
  },
  anomalies: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Anomalies of cost by tenant, and how far hours and days have been judged',
  },
  notifications: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'What people of a tenant are told, and the messages of it by channel, for 30 days',
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
    streamed: true,
    holds: 'Events raised, by tenant, durable before their cause is acknowledged',
  },
  webhooks: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Webhook endpoints by tenant, secrets sealed, and for two days those that were deleted',
  },
  deliveries: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    streamed: true,
    holds: 'Streams of webhook endpoints, and for 30 days every attempt at a delivery',
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
