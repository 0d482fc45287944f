import type { Scope } from '../../../schemas/identity/scopes.ts';
import { type Need, needs } from '../../../schemas/platform/resources.ts';
import type { TableName } from '../../../schemas/platform/tables.ts';
import type { LaneCoverage } from '../../../schemas/routes/authority.ts';

/** Who may read the data of a table through the API. */
interface Readers {
  /** The scope that reads the data. Null: no route returns it. */
  readonly scope: Scope | null;
  /** Other scopes that read the data. Only routes with one of them as `alternative` return it to its holders. */
  readonly alternatives?: readonly Scope[];
  /** The least lane coverage of a route that returns the data: `own` for items with a lane, `all` for sums over lanes. */
  readonly lanes: LaneCoverage;
}

/**
 * Who may read each table. A route whose needs read a table must require its scope and cover its lanes, or declare that
 * it withholds the data. A new table does not compile without an entry.
 */
const tableReaders: Readonly<Record<TableName, Readers>> = {
  ledger: { scope: 'read:attribution', lanes: 'own' },
  claims: { scope: null, lanes: 'none' },
  coverage: { scope: 'read:attribution', lanes: 'own' },
  signals: { scope: null, lanes: 'none' },
  counters: { scope: 'admin:config', alternatives: ['read:reporting'], lanes: 'all' },
  bills: { scope: 'read:reporting', lanes: 'all' },
  billSources: { scope: 'admin:config', alternatives: ['finance:config'], lanes: 'all' },
  traces: { scope: 'read:attribution', lanes: 'own' },
  models: { scope: 'admin:config', alternatives: ['read:reporting'], lanes: 'all' },
  jobs: { scope: 'admin:config', alternatives: ['read:reporting'], lanes: 'all' },
  exports: { scope: 'export:create', lanes: 'own' },
  rollups: { scope: 'read:reporting', lanes: 'own' },
  results: { scope: 'read:reporting', lanes: 'own' },
  budgets: { scope: 'admin:config', alternatives: ['read:reporting', 'finance:config'], lanes: 'own' },
  anomalies: { scope: 'read:reporting', lanes: 'own' },
  notifications: { scope: 'read:reporting', lanes: 'own' },
  tenants: { scope: 'admin:config', alternatives: ['read:reporting', 'finance:config'], lanes: 'none' },
  access: { scope: 'admin:config', lanes: 'none' },
  grants: { scope: null, lanes: 'none' },
  audit: { scope: 'admin:config', lanes: 'all' },
  outbox: { scope: 'webhooks:manage', lanes: 'all' },
  webhooks: { scope: 'webhooks:manage', lanes: 'all' },
  deliveries: { scope: 'webhooks:manage', lanes: 'all' },
  limits: { scope: null, lanes: 'none' },
  idempotency: { scope: null, lanes: 'none' },
  identity: { scope: 'admin:config', alternatives: ['read:attribution', 'finance:config'], lanes: 'none' },
};

/** Who may read export destinations, which are in the table of exports. */
const destinationReaders: Readers = {
  scope: 'admin:config',
  alternatives: ['export:create'],
  lanes: 'all',
};

const READS: ReadonlySet<string> = new Set([
  'dynamodb:BatchGetItem',
  'dynamodb:GetItem',
  'dynamodb:Query',
  'dynamodb:Scan',
]);

/** Who may read the data that a need gives access to. Null if the need reads no data of tenants. */
export const readersOf = (need: Need): Readers | null => {
  const access = needs[need];
  if (need === 'exports.sign') return tableReaders.exports;
  // Its stores return destinations only.
  if (need.startsWith('exportDestinations.')) return destinationReaders;
  if (need === 'archive.read') return tableReaders.ledger;
  // No route erases tenants, and only that need has several tables.
  return 'table' in access &&
    typeof access.table === 'string' &&
    access.actions.some((action) => READS.has(action))
    ? tableReaders[access.table]
    : null;
};
