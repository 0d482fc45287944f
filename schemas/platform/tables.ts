/**
 * A DynamoDB table. Keys are strings. `ttl` is epoch seconds; readers check expiry themselves, because TTL deletion lags.
 */
export interface TableShape {
  readonly partitionKey: string;
  readonly sortKey?: string;
  readonly ttl?: string;
  /** Whether the table has a stream. Stream records are kept for one day. */
  readonly streamed?: true;
  /** Every event writes to the table, so its warm throughput can be set. */
  readonly warmed?: true;
  /**
   * The rows follow from the ledger, and the command `restore` writes them again. So the table has no backups, and the
   * storage class for rows that are kept long and read rarely.
   */
  readonly derived?: true;
  /** The content in one line. */
  readonly holds: string;
}

export const tables = {
  ledger: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    warmed: true,
    streamed: true,
    holds:
      'Attribution records by tenant, month and shard, the index of sorted lists, and the list of disputes',
  },
  claims: {
    partitionKey: 'pk',
    ttl: 'ttl',
    warmed: true,
    derived: true,
    holds: 'Dedup claims: the accepted content and time of each event id',
  },
  coverage: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Capture heartbeats, discoveries, expectations and pathway states by tenant',
  },
  signals: { partitionKey: 'pk', ttl: 'ttl', holds: 'CloudEvents of the last 30 days, without content' },
  counters: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds:
      'Diagnostic counters by tenant and hour, and by tenant the progress of calls and the pending marks of rollups',
  },
  bills: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Deliveries of provider bills by tenant, and the rows of each',
  },
  billSources: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds:
      'Accounts whose bills are imported, by tenant, with encrypted credentials. Deleted ones are kept for two days',
  },
  traces: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    derived: true,
    holds: 'Spans by tenant and trace, for as long as their records are kept',
  },
  models: {
    partitionKey: 'pk',
    sortKey: 'sk',
    holds: 'Trained models by tenant with their states, and the serving model',
  },
  jobs: { partitionKey: 'pk', sortKey: 'sk', ttl: 'ttl', holds: 'Background jobs by tenant' },
  exports: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds:
      'FOCUS exports by tenant, export schedules and destinations, delivered versions, and the lists of unfinished exports, deliveries and checks',
  },
  rollups: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds:
      'Rollups of the ledger by tenant, minute, hour and day, and those of closed periods as they were at the close',
  },
  results: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Computed reports by tenant whose pages are being read, for one hour',
  },
  budgets: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Budgets by tenant, threshold crossings of each period, and business metrics',
  },
  anomalies: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Cost anomalies by tenant, watermarks of evaluated hours and days, and dismissed savings',
  },
  notifications: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Notifications by tenant and their messages by channel, for 30 days, and report subscriptions',
  },
  tenants: { partitionKey: 'pk', holds: 'Tenants, and the AWS principals that send for them' },
  access: {
    partitionKey: 'pk',
    sortKey: 'sk',
    holds: 'API keys, OAuth clients and users by tenant, secrets hashed, and the tenants of each user',
  },
  grants: {
    partitionKey: 'pk',
    ttl: 'ttl',
    holds:
      'Pending sign-ins, authorization codes, refresh tokens and sessions (hashed), and revoked access tokens',
  },
  audit: {
    partitionKey: 'pk',
    sortKey: 'sk',
    holds: 'Append-only audit log by tenant and month',
  },
  outbox: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    streamed: true,
    holds:
      'Transactional outbox: raised events by tenant and shard, committed with their cause, and the list of ledger versions that raised one',
  },
  webhooks: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Webhook endpoints by tenant with encrypted secrets. Deleted ones are kept for two days',
  },
  deliveries: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Streams of webhook endpoints, and all delivery attempts of the last 30 days',
  },
  limits: {
    partitionKey: 'pk',
    ttl: 'ttl',
    holds: 'One token bucket per tenant, principal and rate class',
  },
  idempotency: { partitionKey: 'pk', ttl: 'ttl', holds: 'Idempotency keys of the last 24 hours' },
  identity: {
    partitionKey: 'pk',
    sortKey: 'sk',
    ttl: 'ttl',
    holds: 'Identity mappings by tenant. Deleted ones are kept for two days',
  },
} as const satisfies Record<string, TableShape>;
export type TableName = keyof typeof tables;
export const tableNames = Object.keys(tables) as TableName[];

/** A table whose rows follow from the ledger. */
export type DerivedTable = {
  [Name in TableName]: (typeof tables)[Name] extends { readonly derived: true } ? Name : never;
}[TableName];

export const isDerived = (name: TableName): name is DerivedTable => {
  const shape: TableShape = tables[name];
  return shape.derived === true;
};
